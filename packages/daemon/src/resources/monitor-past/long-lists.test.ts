import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resultCode } from '../../store/result-code.ts';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../../testing/test-daemon.ts';
import { maxPageRows } from './read-pages.ts';

const minute = 60_000;
const day = Date.UTC(2026, 0, 5);

describe.each(databases)('long lists on $name', (database) => {
  const log = { ...silentLog, error: vi.fn<(fields: object, message: string) => void>() };
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck, log });
  });
  afterAll(() => daemon.close());

  const create = async (fields: object) => {
    const made = await daemon.request('POST', '/api/monitors', fields);
    const { id } = made.body as { id: string };
    const { seq } = await daemon.store.db
      .selectFrom('monitor')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, seq };
  };
  const listOf = async (path: string) => {
    const answer = await daemon.request('GET', path);
    expect(answer.status).toBe(200);
    return answer.body as { timestamp: string; region?: string }[];
  };

  it('a list has every check once and in order, even if a page ends between two checks that have the same time', async () => {
    const { id, seq } = await create({ type: 'tcp', name: 'shop', host: 'localhost', port: 1, paused: true });
    const path = `/api/monitors/${id}/response-times?from=2026-01-05&to=2026-01-05`;
    expect(await listOf(path)).toEqual([]);
    await daemon.store.db
      .insertInto('region')
      .values([1, 2].map((number) => ({ name: `r${number}`, seen_at: 0 })))
      .execute();
    const regions = await daemon.store.db
      .selectFrom('region')
      .select(['id', 'name'])
      .where('name', 'like', 'r_')
      .orderBy('id')
      .execute();
    const all: { timestamp: string; region: string }[] = [];
    // The time `day` has one check, and each later time has two. So every page of an even size ends between two checks
    // of the same time.
    for (let at = day; all.length < maxPageRows * 2 + 1; at += minute) {
      for (const { id: region, name } of at === day ? regions.slice(1) : regions) {
        const result = { monitor: seq, at, region, code: resultCode(null, null), tenths: 12 };
        await daemon.store.db.insertInto('result').values(result).execute();
        all.push({ timestamp: new Date(at).toISOString(), region: name });
      }
    }
    const list = await listOf(path);
    expect(list.map(({ timestamp, region }) => ({ timestamp, region }))).toEqual(all);
    expect(await listOf(path.replace(/to=.*/, 'to=2400-01-01'))).toHaveLength(all.length);
  });

  it('a list has the metrics of every ping once and in order, even if several pings have the same time', async () => {
    const { id, seq } = await create({ type: 'heartbeat', name: 'job' });
    const count = maxPageRows + 20;
    for (let row = 0; row < count; row++) {
      const metrics = JSON.stringify({ row });
      await daemon.store.db
        .insertInto('ping')
        .values({
          monitor: seq,
          at: day + Math.floor(row / 3),
          kind: 'success',
          exit_code: null,
          duration_ms: null,
          metrics,
        })
        .execute();
    }
    const list = await listOf(`/api/monitors/${id}/heartbeat-metrics?from=2026-01-05&to=2026-01-05`);
    expect(list.map((item) => (item as unknown as { metrics: { row: number } }).metrics.row)).toEqual(
      Array.from({ length: count }, (_, row) => row),
    );
  });

  it('a list has the hourly averages even if its range ends in the far future', async () => {
    const { id, seq } = await create({ type: 'tcp', name: 'old', host: 'localhost', port: 1, paused: true });
    const region = await daemon.store.db.selectFrom('region').select('id').limit(1).executeTakeFirstOrThrow();
    const hour = Math.floor(Date.now() / 3_600_000) - 24;
    await daemon.store.db
      .insertInto('check_hour')
      .values({ monitor: seq, hour, region: region.id, checks: 2, failed: 0, tenths_sum: 20 })
      .execute();
    const list = await listOf(`/api/monitors/${id}/response-times?from=2026-01-01&to=2400-01-01`);
    expect(list).toMatchObject([{ timestamp: new Date(hour * 3_600_000).toISOString(), responseTime: 1 }]);
  });

  it('a list leads to an error response if its first page cannot be read, and breaks off if a later page cannot be read', async () => {
    const { id, seq } = await create({ type: 'heartbeat', name: 'broken' });
    const insert = async (at: number, metrics: string) =>
      daemon.store.db
        .insertInto('ping')
        .values({ monitor: seq, at, kind: 'success', exit_code: null, duration_ms: null, metrics })
        .execute();
    await insert(day, 'no JSON');
    const path = `/api/monitors/${id}/heartbeat-metrics?from=2026-01-05&to=2026-01-05`;
    expect((await daemon.request('GET', path)).status).toBe(500);
    await daemon.store.db.deleteFrom('ping').where('monitor', '=', seq).execute();
    for (let row = 0; row < maxPageRows; row++) await insert(day + row, '{"row":1}');
    await insert(day + maxPageRows, 'no JSON');
    log.error.mockClear();
    const response = await fetch(daemon.url + path, { headers: { 'x-api-key': daemon.apiKey } });
    await expect(response.text()).rejects.toThrow('terminated');
    expect(log.error).toHaveBeenCalledWith(expect.anything(), 'a list broke off while it was being sent');
  });
});
