import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import { databases } from '../testing/databases.ts';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { writeKumaDatabase } from '../testing/kuma-database.ts';
import { run, startOn } from '../testing/run-admin.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';

describe('on PostgreSQL, uptimed admin uses the time of the database', () => {
  let daemon: TestDaemon;
  let place: Record<string, string>;
  beforeAll(async () => {
    ({ daemon, place } = await startOn(databases.find(({ name }) => name === 'postgres')!));
  });
  afterAll(() => daemon.close());

  /** Runs a task while the clock of this machine is wrong by this time. */
  async function wrongBy(ms: number, args: string[]): Promise<string> {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
    try {
      return await run(args, place);
    } finally {
      clock.mockRestore();
    }
  }

  test.each([60_000, -60_000])('for probes and regions, if the clock of this machine is wrong by %d ms', async (ms) => {
    const probe = async () => createFakeProbe(daemon, (await run(['probes', 'add', 'eu'], place)).split('\n')[0]!);
    const [live, silent] = [await probe(), await probe()];
    await silent.sync();
    const seenAt = Date.now() - 45_000;
    await daemon.store.db.updateTable('probe').set({ seen_at: seenAt }).where('name', '=', silent.name).execute();
    await live.sync();
    const lines = (await wrongBy(ms, ['probes', 'list'])).split('\n');
    const lineOf = ({ name }: { name: string }) => lines.find((line) => line.startsWith(`  ${name}  `));
    expect(lineOf(live)).toMatch(/ live$/);
    expect(lineOf(silent)).toMatch(/ silent since /);
    await expect(wrongBy(ms, ['probes', 'add', 'default'])).rejects.toThrow('The daemon itself checks from default.');
    await expect(wrongBy(ms, ['regions', 'retire', 'default'])).rejects.toThrow('The region "default" is in use');
  });

  test('to decide which history is too old to import', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uptime-kuma-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const monitor = { type: 'http', name: 'Shop', url: 'http://127.0.0.1:9/' };
    expect((await daemon.request('POST', '/api/monitors', monitor)).status).toBe(201);
    const { id } = await daemon.store.db.selectFrom('project').select('id').executeTakeFirstOrThrow();
    const file = join(folder, 'kuma.db');
    const at = Date.now() - 200 * dayMs;
    writeKumaDatabase(file, 2, [{ name: 'Shop', days: [{ at, up: 1440, down: 0 }] }]);
    const day = new Date(at).toISOString().slice(0, 10);
    // The server keeps the history of 800 days.
    expect(await wrongBy(700 * dayMs, ['import-history', file, '--project', id])).toContain(`  Shop: ${day} to `);
  });
});
