import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../core/uptime.ts';
import { systemClock } from '../deps.ts';
import { purgeDeleted } from '../recording/purge-deleted.ts';
import type { Store } from '../store/store.ts';
import { databases } from '../testing/databases.ts';
import { type KumaBeat, writeKumaDatabase } from '../testing/kuma-database.ts';
import { partitionedPostgres } from '../testing/partitioned-postgres.ts';
import { run, startOn } from '../testing/run-admin.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';
import { importHistory } from './import-history.ts';

/** The tables that contain a monitor's history, each with the SQL for the time of a row. */
const tables = {
  result: sql<number>`at`,
  result_detail: sql<number>`at`,
  check_hour: sql<number>`cast(hour as bigint) * ${sql.lit(hourMs)}`,
  observed_hour: sql<number>`cast(period as bigint) * ${sql.lit(hourMs)}`,
  observed_day: sql<number>`cast(period as bigint) * ${sql.lit(dayMs)}`,
  status_change: sql<number>`at`,
};

const worlds = [
  ...databases.map((database) => ({ world: database.name, database })),
  { world: 'postgres, a month after its upgrade to partitions', database: partitionedPostgres(29) },
];

describe.each(worlds)('the history of Uptime Kuma on $world', ({ database }) => {
  let daemon: TestDaemon;
  let place: Record<string, string>;
  let folder: string;
  let project: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-kuma-'));
    ({ daemon, place } = await startOn(database));
    project = (await daemon.store.db.selectFrom('project').select('id').executeTakeFirstOrThrow()).id;
  });
  afterAll(async () => {
    await daemon.close();
    await rm(folder, { recursive: true });
  });

  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const noon = (daysAgo: number) => today - daysAgo * dayMs + dayMs / 2;
  const every = (minutes: number, from: number, until: number, beat: (at: number) => Omit<KumaBeat, 'at'>) =>
    Array.from({ length: Math.floor((until - from) / (minutes * 60_000)) }, (_, i): KumaBeat => {
      const at = from + i * minutes * 60_000;
      return { at, ...beat(at) };
    });

  interface Made {
    id: string;
    status: string;
  }
  const create = async (fields: object) => (await daemon.request('POST', '/api/monitors', fields)).body as Made;
  const http = (name: string, url = 'http://127.0.0.1:9/') => create({ type: 'http', name, url, interval: 3600 });
  const get = async <T>(path: string) => (await daemon.request('GET', path)).body as T;
  const seqOf = async (id: string) =>
    (await daemon.store.db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow()).seq;
  /**
   * Returns all rows of a monitor before today, without the monitor's number. The checks that the daemon itself runs in
   * this test are from today, so their rows are left out.
   */
  const pastOf = async (seq: number) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(tables).map(async ([table, timeOf]) => {
          const rows = await daemon.store.db
            .selectFrom(table as keyof typeof tables)
            .selectAll()
            .where('monitor', '=', seq)
            .where(timeOf, '<', today)
            .execute();
          return [table, rows.map((row) => JSON.stringify({ ...row, monitor: 0, id: 0 })).toSorted()] as const;
        }),
      ),
    );
  const admin = (file: string, ...more: string[]) =>
    run(['import-history', join(folder, file), '--project', project, ...more], place);
  const options = (file: string, store: Store = daemon.store) => ({
    store,
    clock: systemClock,
    file: join(folder, file),
    project,
    region: 'default',
    rawRetentionDays: 30,
    writes: true,
    tell: () => undefined,
  });

  test('an import of Uptime Kuma 2 takes uptime and averages from its counts, and events from its checks; it changes no data of today', async () => {
    const shop = await http('Shop');
    await vi.waitFor(async () => expect(await get(`/api/monitors/${shop.id}`)).toMatchObject({ status: 'up' }), 30_000);
    writeKumaDatabase(join(folder, 'two.db'), 2, [
      {
        name: 'Shop',
        days: [
          { at: noon(200), up: 720, down: 720, ping: 30 },
          { at: noon(3), up: 1440, down: 0, ping: 40 },
        ],
        hours: [{ at: noon(3), up: 57, down: 3, ping: 42.5, extras: '{"maintenance":2}' }],
        beats: [
          { at: noon(200), status: 0, msg: 'connect ECONNREFUSED 127.0.0.1:80' },
          { at: noon(199), status: 1, ping: 12, msg: '200 - OK' },
          ...every(1, noon(1), noon(1) + 2 * hourMs, () => ({ status: 1, ping: 12, msg: '200 - OK' })),
        ],
      },
      { name: 'Web', type: 'group' },
      { name: 'Elsewhere', days: [{ at: noon(3), up: 1, down: 0 }] },
    ]);
    const before = [await get(`/api/monitors/${shop.id}`), await get('/api/alert-history')];
    const seen = await admin('two.db');
    expect(seen).toContain(`  Shop: ${new Date(noon(200)).toISOString().slice(0, 10)} to `);
    expect(seen).toContain('  Web: a group is a label here, without a history of its own');
    expect(seen).toContain('  Elsewhere: no monitor of the project has this name, or the key elsewhere');
    expect(seen).toContain('Add --yes to do it.');
    const seq = await seqOf(shop.id);
    expect((await pastOf(seq))['observed_day']).toHaveLength(0);

    expect(await admin('two.db', '--yes')).toContain('The history of 1 monitor(s) is imported.');
    expect([await get(`/api/monitors/${shop.id}`), await get('/api/alert-history')]).toEqual(before);
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const path = `/api/monitors/${shop.id}`;
    const days = await get<{ date: string; uptime: number | null }[]>(
      `${path}/daily-uptime?from=${day(noon(201))}&to=${day(noon(1))}`,
    );
    const uptime = new Map(days.map(({ date, uptime: percent }) => [date, percent]));
    expect(uptime.get(day(noon(200)))).toBe(50);
    expect(uptime.get(day(noon(100)))).toBeNull();
    expect(uptime.get(day(noon(3)))).toBe(100);
    expect(uptime.get(day(noon(1)))).toBe(100);
    const times = await get<{ timestamp: string; responseTime: number; statusCode: number | null }[]>(
      `${path}/response-times?from=${day(noon(4))}&to=${day(noon(1))}`,
    );
    expect(times[0]).toMatchObject({ timestamp: new Date(noon(3)).toISOString(), responseTime: 42.5 });
    expect(times.slice(1)).toHaveLength(120);
    expect(times[1]).toMatchObject({ timestamp: new Date(noon(1)).toISOString(), responseTime: 12, statusCode: 200 });
    const events = await get<unknown[]>(`${path}/events?from=${day(noon(201))}&to=${day(noon(1))}`);
    expect(events).toEqual([
      {
        timestamp: new Date(noon(200)).toISOString(),
        from: 'pending',
        to: 'down',
        error: { code: 'connect_refused', message: 'connect ECONNREFUSED 127.0.0.1:80' },
      },
      { timestamp: new Date(noon(199)).toISOString(), from: 'down', to: 'up', error: null },
    ]);

    const once = await pastOf(seq);
    expect(await admin('two.db', '--yes')).toContain('Shop: nothing new before');
    expect(await pastOf(seq)).toEqual(once);
  });

  test('an import turns the checks of Uptime Kuma 1 into results, and computes the time spent up and down as Uptime Kuma does', async () => {
    const made = await http('Page');
    // The monitor is up for an hour. A retried check and a failed check follow, then half an hour of maintenance, and
    // then Uptime Kuma stops.
    const start = noon(2);
    writeKumaDatabase(join(folder, 'one.db'), 1, [
      {
        name: 'Page',
        beats: [
          ...every(1, start, start + hourMs, () => ({ status: 1, ping: 20, msg: '200 - OK' })),
          { at: start + hourMs, status: 2, msg: 'timeout of 48000ms exceeded' },
          { at: start + hourMs + 60_000, status: 0, msg: 'Request failed with status code 503' },
          ...every(1, start + hourMs + 120_000, start + 1.5 * hourMs, () => ({
            status: 3,
            msg: 'Monitor under maintenance',
          })),
        ],
      },
      // This check is older than every retention, so it is not imported.
      { name: 'Page 2', beats: [{ at: noon(900), status: 1, ping: 1 }] },
    ]);
    expect(await admin('one.db', '--yes')).toContain('with 62 single checks');
    const seq = await seqOf(made.id);
    const { db } = daemon.store;
    const day = Math.floor(start / dayMs);
    expect(
      await db.selectFrom('observed_day').selectAll().where('monitor', '=', seq).where('period', '=', day).execute(),
    ).toEqual([{ monitor: seq, period: day, up_ms: hourMs, down_ms: 120_000, maintenance_ms: 28 * 60_000 }]);
    const pastHours = db.selectFrom('check_hour').selectAll().where('monitor', '=', seq).orderBy('hour');
    const hours = await pastHours.where('hour', '<', today / hourMs).execute();
    expect(hours.map(({ checks, failed, tenths_sum: sum }) => [checks, failed, sum])).toEqual([
      [60, 0, 12_000],
      [2, 2, 0],
    ]);
    const date = new Date(start).toISOString().slice(0, 10);
    const times = await get<{ status: string }[]>(`/api/monitors/${made.id}/response-times?from=${date}&to=${date}`);
    expect(times.slice(-2)).toMatchObject([
      { status: 'down', error: { code: 'timeout', message: 'timeout of 48000ms exceeded' } },
      { status: 'down', statusCode: 503, error: { code: 'http_status' } },
    ]);
  });

  test('if any write of an import fails, the next import completes the history and stores nothing twice', async () => {
    const [cut, whole] = [await http('Cut'), await http('Whole')];
    const beats = every(3, noon(6), noon(1), (at) => ({ status: at % 7 === 0 ? 0 : 1, ping: (at / 60_000) % 50 }));
    writeKumaDatabase(join(folder, 'cut.db'), 1, [
      { name: 'Cut', interval: 180, beats },
      { name: 'Whole', interval: 180, beats },
    ]);
    const failingAt = (count: number): Store => {
      let calls = 0;
      return {
        ...daemon.store,
        write: (work, given) =>
          ++calls === count ? Promise.reject(new Error('The disk is full.')) : daemon.store.write(work, given),
      };
    };
    for (let count = 2; count <= 8; count++)
      await expect(importHistory(options('cut.db', failingAt(count)))).rejects.toThrow('The disk is full.');
    await importHistory(options('cut.db'));
    const past = await pastOf(await seqOf(cut.id));
    expect(past['result']?.length).toBe(beats.length);
    expect(past).toEqual(await pastOf(await seqOf(whole.id)));
  });

  test('an import of a newer copy of kuma.db adds what follows the end of the older copy', async () => {
    const [grown, whole] = [await http('Grown'), await http('Entire')];
    const beats = every(5, noon(4), noon(1), (at) => ({ status: at % 11 === 0 ? 0 : 1, ping: 9 }));
    // The older copy ends at midnight. If the copy ended during a day, the importer would not know the next check, and
    // might give the status of the last check a wrong duration.
    const half = beats.filter(({ at }) => at < Math.floor(noon(2) / dayMs) * dayMs);
    writeKumaDatabase(join(folder, 'old.db'), 1, [{ name: 'Grown', interval: 300, beats: half }]);
    writeKumaDatabase(join(folder, 'new.db'), 1, [
      { name: 'Grown', interval: 300, beats },
      { name: 'Entire', interval: 300, beats },
    ]);
    await importHistory(options('old.db'));
    await importHistory(options('new.db'));
    expect(await pastOf(await seqOf(grown.id))).toEqual(await pastOf(await seqOf(whole.id)));
  });

  test('an import finds a renamed monitor by its key, and distinguishes two monitors of the same name by their addresses', async () => {
    const renamed = await create({ type: 'tcp', name: 'New name', key: 'old-name', host: '127.0.0.1', port: 9 });
    const twins = [await http('Twin', 'http://127.0.0.1:9/a'), await http('Twin', 'http://127.0.0.1:9/b')];
    const days = (up: number) => [{ at: noon(2), up, down: 100 - up }];
    writeKumaDatabase(join(folder, 'twins.db'), 2, [
      { name: 'Old name', type: 'port', days: days(10) },
      { name: 'Twin', url: 'http://127.0.0.1:9/b', days: days(20) },
      { name: 'Twin', url: 'http://127.0.0.1:9/a', days: days(30) },
      { name: 'Twin', url: 'http://127.0.0.1:9/c', days: days(40) },
    ]);
    const output = await admin('twins.db', '--yes');
    expect(output).toContain('Twin: 2 monitors of the project have this name or key, and no address tells them apart');
    const date = new Date(noon(2)).toISOString().slice(0, 10);
    const uptimeOf = async ({ id }: Made) =>
      (await get<{ uptime: number }[]>(`/api/monitors/${id}/daily-uptime?from=${date}&to=${date}`))[0]!.uptime;
    expect([await uptimeOf(renamed), await uptimeOf(twins[0]!), await uptimeOf(twins[1]!)]).toEqual([10, 30, 20]);
  });

  test('deleting a monitor deletes its imported history too', async () => {
    const made = await http('Leaving');
    const beats = every(30, noon(3), noon(2), () => ({ status: 1, ping: 5 }));
    writeKumaDatabase(join(folder, 'leaving.db'), 1, [{ name: 'Leaving', interval: 1800, beats }]);
    await admin('leaving.db', '--yes');
    const seq = await seqOf(made.id);
    expect((await pastOf(seq))['check_hour']).not.toHaveLength(0);
    await daemon.request('DELETE', `/api/monitors/${made.id}`);
    while (await daemon.store.write((trx) => purgeDeleted(trx, Date.now())));
    expect(Object.values(await pastOf(seq)).flat()).toEqual([]);
  });

  test('the import refuses a file that is damaged, locked or not from Uptime Kuma, and says why', async () => {
    const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
    await write(
      'text.db',
      'not a database, and long enough to be read as one by SQLite, which wants 100 bytes of head'.repeat(3),
    );
    writeKumaDatabase(join(folder, 'whole.db'), 1, [
      { name: 'Shop', beats: every(1, noon(4), noon(3), () => ({ status: 1, ping: 5, msg: '200 - OK' })) },
    ]);
    await copyFile(join(folder, 'whole.db'), join(folder, 'half.db'));
    await truncate(join(folder, 'half.db'), 20_000);
    const other = new Database(join(folder, 'other.db'));
    other.exec('create table monitor (id integer)');
    other.close();
    const holder = new Database(join(folder, 'whole.db'));
    holder.exec('begin exclusive');
    for (const [file, why] of [
      ['text.db', /text\.db cannot be read as SQLite: file is not a database/],
      ['half.db', /half\.db cannot be read as SQLite: database disk image is malformed/],
      ['other.db', /other\.db has no table heartbeat: expected kuma\.db/],
      ['missing.db', /missing\.db cannot be read as SQLite/],
      ['whole.db', /database is locked.*copy its kuma\.db/],
    ] as const)
      await expect(admin(file, '--yes'), file).rejects.toThrow(why);
    holder.close();
    await expect(run(['import-history', 'x.db'], place)).rejects.toThrow('The project is missing.');
    await expect(run(['import-history', 'x.db', '--project', 'prj_none'], place)).rejects.toThrow(
      'There is no project prj_none.',
    );
  });
});
