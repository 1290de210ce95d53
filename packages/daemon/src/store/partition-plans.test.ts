import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lastSeen } from '../alerting/last-seen.ts';
import { dayMs } from '../core/uptime.ts';
import { captureStatements } from '../testing/captured-statements.ts';
import { fillTables } from '../testing/fill-tables.ts';
import { partitionedPostgres } from '../testing/partitioned-postgres.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { firstPartition, otherPartition, readPartitions } from './result-partitions.ts';

/** The upgrade to partitions took place this many days ago. */
const days = 25;

describe('queries for results', () => {
  let daemon: TestDaemon;
  let monitor: { id: string; seq: number };
  const now = Date.now();
  const today = Math.floor(now / dayMs);
  const partition = (daysAgo: number) => `result_${today - daysAgo}`;

  beforeAll(async () => {
    daemon = await createTestDaemon({ database: partitionedPostgres(days), runCheck: passingCheck });
    const { body } = await daemon.request('POST', '/api/monitors', {
      type: 'tcp',
      name: 'm',
      host: 'h',
      port: 1,
      interval: 3600,
    });
    const { id } = body as { id: string };
    await vi.waitFor(
      async () => expect(await daemon.request('GET', `/api/monitors/${id}`)).toMatchObject({ body: { status: 'up' } }),
      { timeout: 60_000, interval: 50 },
    );
    const row = await daemon.store.db
      .selectFrom('monitor')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    monitor = { id, seq: row.seq };
    // PostgreSQL has other query plans for small tables than for large ones.
    await fillTables(daemon.store.db, new Set(['result', 'result_detail']), 2000);
  });
  afterAll(() => daemon.close());

  /**
   * Runs `work`. Returns the partitions from which `work` reads results, and the steps of query plans that read a
   * partition without an index.
   */
  const plansOf = async (work: () => Promise<unknown>) => {
    using capture = captureStatements();
    await work();
    const reads = capture.statements().filter(({ sql }) => /^select .* from "result"( |$)/.test(sql));
    expect(reads).not.toEqual([]);
    const steps = [];
    for (const { sql, parameters } of reads) {
      const { rows } = await daemon.store.db.executeQuery<Answer>(
        CompiledQuery.raw(`explain (format json) ${sql}`, [...parameters]),
      );
      steps.push(...rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => stepsOf(plan))));
    }
    const ofResults = steps.filter((step) => /^result_(first|other|\d+)$/.test(step['Relation Name'] ?? ''));
    return {
      partitions: [...new Set(ofResults.map((step) => step['Relation Name']!))].toSorted(),
      scans: ofResults.filter((step) => !/^(Index|Index Only|Bitmap Heap) Scan$/.test(step['Node Type'])),
    };
  };
  const between = (oldestDaysAgo: number, latestDaysAgo: number) =>
    Array.from({ length: oldestDaysAgo - latestDaysAgo + 1 }, (_, at) => partition(oldestDaysAgo - at)).toSorted();

  test('a query for the latest result of each region reads at most two partitions', async () => {
    const { partitions, scans } = await plansOf(() => daemon.request('GET', `/api/monitors/${monitor.id}`));
    // The check may have run before midnight. Then its result is in yesterday's partition.
    expect(partitions.length).toBeLessThanOrEqual(2);
    expect(between(1, -1)).toEqual(expect.arrayContaining(partitions));
    expect(scans).toEqual([]);
  });

  test('a query for response times reads only the partitions of the requested days', async () => {
    const day = (daysAgo: number) => new Date((today - daysAgo) * dayMs).toISOString().slice(0, 10);
    const path = `/api/monitors/${monitor.id}/response-times`;
    const { partitions, scans } = await plansOf(() => daemon.request('GET', `${path}?from=${day(9)}&to=${day(3)}`));
    expect(partitions).toEqual(between(9, 3));
    expect(scans).toEqual([]);
  });

  test('the queries for the last failure and the last success read at most three partitions', async () => {
    const until = (today - 5) * dayMs + dayMs / 2;
    const { partitions, scans } = await plansOf(() =>
      daemon.store.write((trx) => lastSeen(trx, monitor.seq, { until, failed: false })),
    );
    expect(partitions).toEqual(between(7, 5));
    expect(scans).toEqual([]);
  });

  test('a query for all days reads all partitions, including the first and the default partition', async () => {
    const path = `/api/monitors/${monitor.id}/response-times?from=1970-01-01&to=2200-01-01`;
    const { partitions, scans } = await plansOf(() => daemon.request('GET', path));
    const all = (await readPartitions(daemon.store.db)).map(({ name }) => name);
    expect(all.length).toBeGreaterThan(days);
    expect(partitions).toEqual([firstPartition, otherPartition, ...all].toSorted());
    expect(scans).toEqual([]);
  });
});

interface Answer {
  'QUERY PLAN': { Plan: Step }[];
}

interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Step[];
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
