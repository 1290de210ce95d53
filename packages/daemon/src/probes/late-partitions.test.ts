import { expect, test } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { partitionedPostgres, partitionsOfResults } from '../testing/partitioned-postgres.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('results that waited for days on a cut-off probe are stored only once, each in the partition of its time', async () => {
  const daemon = await createTestDaemon({ database: partitionedPostgres(29), runCheck: passingCheck });
  try {
    const { body: made } = await daemon.request('POST', '/api/probes', { region: 'cut' }, { cookie: daemon.cookie });
    const probe = createFakeProbe(daemon, (made as { token: string }).token);
    const { body: created } = await daemon.request('POST', '/api/monitors', {
      type: 'tcp',
      name: 'm',
      host: 'h',
      port: 1,
      regions: ['cut'],
    });
    const { id } = created as { id: string };
    const { assignments } = (await probe.sync()).body;
    const { monitor } = assignments[0]!;
    const { db } = daemon.store;
    await db.updateTable('probe').set({ first_seen_at: 0 }).where('name', '=', probe.name).execute();
    await db.updateTable('monitor').set({ created_at: 0 }).where('seq', '=', monitor).execute();
    const now = Date.now();
    const times = Array.from({ length: 6 * 24 }, (_, hour) => now - (6 * 24 - hour) * 3_600_000);
    const results = times.map((at, index) => ({ seq: index + 1, monitor, at }));
    // Sends the second batch twice, as if the answer to it had been lost. The last batch also contains some results of
    // an earlier batch.
    for (const [from, until] of [
      [0, 60],
      [60, 120],
      [60, 120],
      [100, 144],
    ] as const)
      expect(await probe.send(results.slice(from, until))).toMatchObject({ status: 200, body: { applied: until } });
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect((body as { timestamp: string }[]).map(({ timestamp }) => Date.parse(timestamp))).toEqual(times);
    const partitions = new Set(times.map((at) => `result_${Math.floor(at / dayMs)}`));
    expect(await partitionsOfResults(daemon.store)).toEqual([...partitions].toSorted());
  } finally {
    await daemon.close();
  }
});
