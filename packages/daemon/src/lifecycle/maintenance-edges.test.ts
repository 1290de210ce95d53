import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { reviewAfterWindow } from './maintenance-edges.ts';

const hour = 3_600_000;
const monitorCount = 45;

describe.each(databases)('a maintenance window of many monitors on $name', (database) => {
  let daemon: TestDaemon;
  let monitorIds: string[];
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    monitorIds = [];
    for (let n = 0; n < monitorCount; n++) {
      const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `m${n}` });
      monitorIds.push((made.body as { id: string }).id);
    }
  });
  afterAll(() => daemon.close());

  const rollups = (db: Pick<Store['db'], 'selectFrom'> = daemon.store.db) =>
    db.selectFrom('monitor_state').select(['monitor', 'rolled_up_until']).orderBy('monitor').execute();

  /** Sends a request. Returns how many monitors each of its transactions rolled up. */
  async function rolledUpBy(method: string, path: string, body?: object) {
    // The clock must be later than the last rollup of the monitors, so that some time is left to roll up.
    const { rolled_up_until: last } = (await rollups()).toSorted((a, b) => b.rolled_up_until - a.rolled_up_until)[0]!;
    // The daemon's clock may be a millisecond behind the clock of the test.
    await expect.poll(() => Date.now()).toBeGreaterThan(last + 10);
    const write = daemon.store.write.bind(daemon.store);
    const counts: number[] = [];
    daemon.store.write = async (work, options) => {
      // Only the writes of requests have an owner. Other writes are those of the daemon's loops, and are not counted.
      if (options?.owner === undefined) return write(work, options);
      let count = 0;
      const result = await write(async (trx) => {
        const before = await rollups(trx);
        const done = await work(trx);
        const after = await rollups(trx);
        count = after.filter((row, at) => row.rolled_up_until !== before[at]?.rolled_up_until).length;
        return done;
      }, options);
      counts.push(count);
      return result;
    };
    const answer = await daemon.request(method, path, body);
    daemon.store.write = write;
    return { answer, counts: counts.filter((count) => count > 0) };
  }

  test('creating, changing and deleting a window each roll up every monitor once, with at most 20 monitors in one transaction', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const window = { title: 'w', maintenance: true, scheduledStart: at(-hour), scheduledEnd: at(hour), monitorIds };
    const created = await rolledUpBy('POST', '/api/incidents', window);
    expect(created.answer.status).toBe(201);
    expect(created.counts).toEqual([20, 20, 5]);
    const path = `/api/incidents/${(created.answer.body as { id: string }).id}`;
    const changed = await rolledUpBy('PATCH', path, { scheduledEnd: at(2 * hour) });
    expect([changed.answer.status, changed.counts]).toEqual([200, [20, 20, 5]]);
    const deleted = await rolledUpBy('DELETE', path);
    expect([deleted.answer.status, deleted.counts]).toEqual([204, [20, 20, 5]]);
  });

  test('after the end of a window, one transaction reviews the alerts of 20 monitors, and later transactions review the rest', async () => {
    const now = Date.now();
    const seqs = (await rollups()).map(({ monitor }) => monitor);
    const due = await daemon.store.write(async (trx) => {
      await reviewAfterWindow(trx, seqs, now);
      return trx.selectFrom('monitor_state').select('monitor').where('expiry_review_at', '=', 0).execute();
    });
    expect(due).toHaveLength(monitorCount - 20);
  });
});
