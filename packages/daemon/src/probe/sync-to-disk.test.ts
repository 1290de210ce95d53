import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createDiskSync, type DiskSync } from './sync-to-disk.ts';

let database: TestDatabase;
let clock: FakeClock;
let disk: DiskSync;
beforeEach(async () => {
  database = await databases[0]!.open();
  clock = createFakeClock(Date.now());
  disk = createDiskSync({ clock, log: silentLog }, database.store);
});
afterEach(() => database.dispose());

/** When the store was last synced by `disk`, or null. */
async function syncedAt(): Promise<number | null> {
  const row = await database.store.db.selectFrom('probe_fact').selectAll().executeTakeFirst();
  return row ? Number(row.value) : null;
}

test('commits within 250 ms share one synced commit', async () => {
  const write = vi.spyOn(database.store, 'write');
  for (let commit = 0; commit < 5; commit++) {
    disk.syncSoon();
    await clock.advance(40);
  }
  expect(write).not.toHaveBeenCalled();
  await clock.advance(50);
  await vi.waitFor(async () => expect(await syncedAt()).toBe(clock.now()));
  await clock.advance(10_000);
  // There was one write. It had no options, so its commit waited for the disk.
  expect(write.mock.calls.map(([, options]) => options)).toEqual([undefined]);
});

test('a stop syncs the last commits, and does nothing if all commits are synced', async () => {
  disk.syncSoon();
  await disk.close();
  const at = await syncedAt();
  expect(at).toBe(clock.now());
  await clock.advance(1000);
  await disk.close();
  expect(await syncedAt()).toBe(at);
});
