import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../core/uptime.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { channelRow, openTestAlert } from '../testing/outbox.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import {
  forgetAlerts,
  forgetAnswers,
  forgetMessageCounts,
  forgetPast,
  forgetShared,
  type Horizons,
} from './forget-past.ts';
import { purgeDeleted } from './purge-deleted.ts';
import { createMetricsShares, forgetMetrics } from './forget-metrics.ts';
import { removeMonitors } from '../lifecycle/monitor-life.ts';

const now = Date.UTC(2026, 5, 1);
const hour = Math.floor(now / hourMs);
const horizons: Horizons = {
  raw: now - 30 * dayMs,
  timings: now - dayMs,
  histogram: hour - 48,
  hours: hour - 40 * 24,
  checkHours: hour - 400 * 24,
  days: Math.floor(now / dayMs) - 800,
};

describe.each(databases)('the deletion of old data on $name', ({ open }) => {
  let database: TestDatabase;
  let seqs: number[];
  beforeEach(async () => {
    database = await open();
    seqs = await database.store.write(async (trx) => {
      await trx.insertInto('project').values(projectRow('prj_1')).execute();
      const made = await trx
        .insertInto('monitor')
        .values([monitorRow('mon_1', 'prj_1'), monitorRow('mon_2', 'prj_1')])
        .returning('seq')
        .execute();
      return made.map(({ seq }) => seq);
    });
  });
  afterEach(() => database.dispose());

  const ping = (monitor: number, at: number, metrics: string | null) => ({
    monitor,
    at,
    kind: 'success' as const,
    exit_code: null,
    duration_ms: null,
    metrics,
  });
  const addPings = (pings: ReturnType<typeof ping>[]) =>
    database.store.write(async (trx) => {
      for (let at = 0; at < pings.length; at += 500) {
        await trx
          .insertInto('ping')
          .values(pings.slice(at, at + 500))
          .execute();
      }
    });
  const pingsOf = async (monitor: number) =>
    (await database.store.db.selectFrom('ping').select('id').where('monitor', '=', monitor).execute()).length;

  it('the daemon keeps the newest pings with metrics of a heartbeat, up to a limit', async () => {
    const [busy, other] = seqs as [number, number];
    const metrics = '{"rows":1}';
    // There are two pings in each millisecond, and more pings than one transaction removes.
    const of = (monitor: number, count: number) =>
      Array.from({ length: count }, (_, at) => ping(monitor, now + Math.floor(at / 2), metrics));
    await addPings([...of(busy, 1207), ...of(other, 5), ping(busy, now, null)]);
    const forget = () => database.store.write((trx) => forgetMetrics(trx, busy, 5));
    expect([await forget(), await forget(), await forget()]).toEqual([true, false, false]);
    const left = await database.store.db
      .selectFrom('ping')
      .select(['monitor', 'at', 'metrics'])
      .orderBy('id')
      .execute();
    const kept = (monitor: number) => left.filter((one) => one.monitor === monitor && one.metrics !== null);
    expect(kept(busy).map(({ at }) => at - now)).toEqual([601, 601, 602, 602, 603]);
    expect(kept(other)).toHaveLength(5);
    expect(left).toHaveLength(11);
  });

  it('the daemon divides the allowed number of pings with metrics equally among the heartbeats of a project', async () => {
    const [first, second] = seqs as [number, number];
    const { store } = database;
    const token = (seq: number) =>
      store.db
        .updateTable('monitor')
        .set({ token: `token ${seq}` })
        .where('seq', '=', seq)
        .execute();
    const shares = createMetricsShares(7);
    const project = { project_id: 'prj_1' };
    await token(first);
    expect(await shares.of(store.db, project)).toBe(7);
    await token(second);
    // The heartbeats of a project are counted again only after `forget` is called.
    expect(await shares.of(store.db, project)).toBe(7);
    shares.forget();
    expect(await shares.of(store.db, project)).toBe(3);
    // Even if the limit of the project is higher, a single heartbeat keeps at most 50,000.
    expect(await createMetricsShares(1_000_000).of(store.db, project)).toBe(50_000);
    expect(await createMetricsShares(null).of(store.db, project)).toBe(50_000);
    expect(await createMetricsShares(1).of(store.db, project)).toBe(0);
    await addPings([ping(first, now, '{"a":1}'), ping(second, now, '{"a":1}'), ping(second, now, null)]);
    await store.write((trx) => forgetMetrics(trx, second, 0));
    const left = await store.db.selectFrom('ping').select(['monitor', 'metrics']).orderBy('id').execute();
    expect(left.map(({ monitor, metrics }) => [monitor, metrics === null])).toEqual([
      [first, false],
      [second, true],
    ]);
  });

  it('the daemon removes only the results, details and pings that are past their retention', async () => {
    const [monitor] = seqs as [number];
    const ages = [29, 31, 40].map((days) => now - days * dayMs);
    await addPings(ages.toReversed().map((at) => ping(monitor, at, null)));
    await database.store.write(async (trx) => {
      for (const at of ages) {
        await trx.insertInto('result').values({ monitor, at, region: 1, code: 1, tenths: 5 }).execute();
        const detail = { monitor, at, region: 1, error_message: 'refused', timings: null };
        await trx.insertInto('result_detail').values(detail).execute();
      }
      const passed = { monitor, region: 1, error_message: null, timings: '[1]' };
      for (const at of [now - 2 * dayMs, now - 1000]) {
        await trx
          .insertInto('result_detail')
          .values({ ...passed, at })
          .execute();
      }
    });

    expect(await database.store.write((trx) => forgetPast(trx, monitor, horizons, database.store.dialect))).toBe(false);
    for (let since: number | null = 0; since !== null;) {
      const from: number = since;
      since = await database.store.write((trx) => forgetShared(trx, from, horizons));
    }
    const times = (rows: { at: number }[]) => rows.map(({ at }) => at);
    const { db } = database.store;
    expect(times(await db.selectFrom('result').select('at').execute())).toEqual([ages[0]]);
    expect(times(await db.selectFrom('ping').select('at').execute())).toEqual([ages[0]]);
    expect(times(await db.selectFrom('result_detail').select('at').orderBy('at').execute())).toEqual([
      ages[0],
      now - 1000,
    ]);
  });

  it('the daemon removes old hourly counts of all monitors in several transactions', async () => {
    const { store } = database;
    const { db } = store;
    const bucket = (at: number, monitor: number) => ({ hour: at, monitor, bucket: 1, count: 1, tenths_sum: 1 });
    const old = Array.from({ length: 2500 }, (_, at) => bucket(horizons.histogram - 1 - (at % 2), 10 + at));
    for (let at = 0; at < old.length; at += 500)
      await db
        .insertInto('response_histogram')
        .values(old.slice(at, at + 500))
        .execute();
    await db.insertInto('response_histogram').values(bucket(hour, 1)).execute();
    const left: number[] = [];
    for (let since: number | null = 0; since !== null;) {
      const from: number = since;
      since = await store.write((trx) => forgetShared(trx, from, horizons));
      left.push((await db.selectFrom('response_histogram').select('hour').execute()).length);
    }
    expect(left).toEqual([1500, 499, 1]);
  });

  it('the daemon removes the data of a deleted monitor in several transactions, and keeps the data of other monitors', async () => {
    const [gone, kept] = seqs as [number, number];
    await addPings(Array.from({ length: 2100 }, (_, at) => ping(gone, now + at, '{"a":1}')));
    await addPings([ping(kept, now, '{"a":1}')]);
    await database.store.write((trx) => removeMonitors(trx, [gone], now));
    const left = [];
    while (await database.store.write((trx) => purgeDeleted(trx, now))) left.push(await pingsOf(gone));
    expect(left.slice(0, 3)).toEqual([1100, 100, 0]);
    expect(await pingsOf(kept)).toBe(1);
    expect(await database.store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
  });

  it('the daemon removes message budgets that are full again, and counts of confirmation codes older than a day', async () => {
    const { store } = database;
    const day = 24 * 3_600_000;
    await store.db
      .insertInto('message_budget')
      .values([
        { owner: 'full', kind: 'mail', full_at: now - 1 },
        { owner: 'used', kind: 'mail', full_at: now + 1 },
      ])
      .execute();
    const times = { second_at: null, third_at: null };
    await store.db
      .insertInto('address_codes')
      .values([
        { mailbox: 'old', latest_at: now - day - 1, ...times },
        { mailbox: 'recent', latest_at: now - day + 1, ...times },
      ])
      .execute();
    await store.write((trx) => forgetMessageCounts(trx, now));
    const owners = await store.db.selectFrom('message_budget').select('owner').execute();
    const mailboxes = await store.db.selectFrom('address_codes').select('mailbox').execute();
    expect([owners, mailboxes]).toEqual([[{ owner: 'used' }], [{ mailbox: 'recent' }]]);
  });

  it('the daemon removes answers of requests from more than a day ago, or more than a day in the future', async () => {
    const { store } = database;
    const columns = { scope: 's', owner: 'o', request_hash: 'h', body: '', bytes: 0 };
    // After the clock stepped back, an answer with a later time can have a lower number than answers with earlier times.
    const times = { ahead: now + dayMs, 'far ahead': now + dayMs + 1 };
    const old = Array.from({ length: 1100 }, (_, n) => ({ ...columns, key: `old ${n}`, created_at: now - dayMs - 1 }));
    const ahead = Object.entries(times).map(([key, created_at]) => ({ ...columns, key, created_at }));
    const recent = { ...columns, key: 'recent', created_at: now - dayMs };
    await store.db
      .insertInto('idempotency')
      .values([...ahead, ...old, recent])
      .execute();
    const forget = () => store.write((trx) => forgetAnswers(trx, now));
    expect([await forget(), await forget()]).toEqual([true, false]);
    const left = await store.db.selectFrom('idempotency').select('key').orderBy('seq').execute();
    expect(left).toEqual([{ key: 'ahead' }, { key: 'recent' }]);
  });

  it('the daemon removes old messages and closed alerts, and keeps the alarm of an open alert for its reminders', async () => {
    const { store } = database;
    await store.db
      .insertInto('channel')
      .values(channelRow('chn_1', { project_id: 'prj_1' }))
      .execute();
    const add = (id: string, finished: number | null, resolved: number | null) => {
      const alert = { channel: 1, at: 1, project_id: 'prj_1', resolved_at: resolved, monitor: id.length };
      return openTestAlert(store, id, { ...alert, kinds: ['alarm', 'recovery'] }).then((seq) =>
        store.db.updateTable('delivery').set({ finished_at: finished }).where('alert', '=', seq).execute(),
      );
    };
    await add('open', 5, null);
    await add('unsent', null, 5);
    await add('over', 5, 50);
    await add('recent', 50, 50);
    await add('ancient', 1, 2);
    while (await store.write((trx) => forgetAlerts(trx, { deliveries: 10, alerts: 3 })));
    const left = await store.db
      .selectFrom('alert')
      .leftJoin('delivery', 'delivery.alert', 'alert.seq')
      .select(['alert.id', 'kind'])
      .orderBy('alert.seq')
      .orderBy('delivery.seq')
      .execute();
    expect(left.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'open alarm',
      'unsent alarm',
      'unsent recovery',
      'over null',
      'recent alarm',
      'recent recovery',
    ]);
  });
});
