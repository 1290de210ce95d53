import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultCode } from '../../store/result-code.ts';
import { databases } from '../../testing/databases.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

const hour = 3_600_000;
const today = Math.floor(Date.now() / (24 * hour)) * 24 * hour;
const start = today - 48 * hour;

describe.each(databases)("lists of a monitor's past in pages, on $name", (database) => {
  let daemon: TestDaemon;
  let job: string;
  let shop: string;

  beforeAll(async () => {
    daemon = await createTestDaemon({ database });
    const create = async (fields: object) => {
      const { id } = (await daemon.request('POST', '/api/monitors', { ...fields, paused: true })).body as {
        id: string;
      };
      const monitors = daemon.store.db.selectFrom('monitor').select('seq').where('id', '=', id);
      const { seq } = await monitors.executeTakeFirstOrThrow();
      await daemon.store.db.updateTable('monitor').set({ created_at: start }).where('seq', '=', seq).execute();
      return { id, seq };
    };
    const heartbeat = await create({ type: 'heartbeat', name: 'job' });
    const tcp = await create({ type: 'tcp', name: 'shop', host: 'localhost', port: 1 });
    [job, shop] = [heartbeat.id, tcp.id];

    // Four pings have the same time. Each of the other pings has a different time.
    for (const [row, at] of [0, 0, 0, 0, 1, 2, 3].entries()) {
      const ping = { exit_code: null, duration_ms: null, metrics: JSON.stringify({ row }) };
      await daemon.store.db
        .insertInto('ping')
        .values({ monitor: heartbeat.seq, at: start + at, kind: 'success', ...ping })
        .execute();
      const change = { from_status: 'up', to_status: 'down', error_code: 'no_ping', error_message: `${row}` } as const;
      await daemon.store.db
        .insertInto('status_change')
        .values({ monitor: heartbeat.seq, at: start + at, ...change })
        .execute();
    }
    await daemon.store.db
      .insertInto('region')
      .values([1, 2, 3].map((number) => ({ name: `r${number}`, seen_at: 0 })))
      .execute();
    const regions = await daemon.store.db.selectFrom('region').select('id').where('name', 'like', 'r_').execute();
    for (const { id: region } of regions) {
      await daemon.store.db
        .insertInto('check_hour')
        .values({ monitor: tcp.seq, hour: start / hour, region, checks: 2, failed: 0, tenths_sum: 20 })
        .execute();
      for (const at of [5 * hour, 5 * hour + 1, 30 * hour]) {
        const result = { monitor: tcp.seq, at: start + at, region, code: resultCode(null, null), tenths: 12 };
        await daemon.store.db.insertInto('result').values(result).execute();
      }
    }
  });
  afterAll(() => daemon.close());

  const pagesOf = async (first: string) => {
    const pages: unknown[][] = [];
    for (let path: string | undefined = first; path !== undefined;) {
      const answer = await daemon.request('GET', path);
      expect(answer.status).toBe(200);
      pages.push(answer.body as unknown[]);
      path = /^<https?:\/\/[^/]+([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return pages;
  };
  const reads = () => [
    { path: `/api/monitors/${job}/heartbeat-metrics`, count: 7 },
    { path: `/api/monitors/${job}/events`, count: 7 },
    { path: `/api/monitors/${shop}/response-times`, count: 12 },
    { path: `/api/monitors/${shop}/daily-uptime`, count: 3 },
  ];

  it.each([1, 2, 3, 5, 1000])('the pages of %i items together have each item once and in order', async (limit) => {
    for (const { path, count } of reads()) {
      const [whole] = await pagesOf(path);
      expect(whole).toHaveLength(count);
      const pages = await pagesOf(`${path}?limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages.map((page) => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => limit));
      expect(pages).toHaveLength(Math.ceil(count / limit));
    }
  });

  it('a read with a cursor and without a limit returns all remaining items', async () => {
    for (const { path, count } of reads()) {
      const { headers } = await daemon.request('GET', `${path}?limit=2`);
      const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      const rest = await daemon.request('GET', `${path}?cursor=${cursor}`);
      expect(rest.body).toHaveLength(count - 2);
    }
  });

  it('a read accepts only a cursor that the same list returned, and a limit from 1 to 1000', async () => {
    for (const { path } of reads())
      for (const query of ['cursor=zz', 'limit=0', 'limit=1001'])
        expect(await daemon.request('GET', `${path}?${query}`)).toMatchObject({ status: 400, body: { errors: [{}] } });
  });
});
