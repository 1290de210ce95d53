import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { openStore } from '../packages/daemon/src/store/open-store.ts';
import { prepare } from '../packages/daemon/src/store/prepared.ts';
import { resultCode } from '../packages/daemon/src/store/result-code.ts';
import { sqliteFile } from '../packages/daemon/src/store/sqlite.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import { type Measurement, median, report } from './measurement.ts';

// better-sqlite3 is a dependency of only the daemon, so it is resolved from the daemon's package.
const Database = createRequire(new URL('../packages/daemon/package.json', import.meta.url))(
  'better-sqlite3',
) as typeof BetterSqlite3;

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const monitors = 1000;
const rounds = 9;
const runs = 5000;

/**
 * Compares the CPU time of the store's most used operations with bare better-sqlite3 on the same file. Both run in one
 * process in alternating rounds. Also stores a day of results of a thousand monitors, in the order of their times.
 * Measures the bytes of such a result, and the time to read one monitor's results of a day.
 */
export async function benchStore(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const store = await openStore({ dataDir, log });
  const raw = new Database(sqliteFile(dataDir));
  try {
    raw.pragma('foreign_keys = on');
    fillConfiguration(raw);
    return [...(await hotPath(store, raw)), ...(await history(store, raw))];
  } finally {
    raw.close();
    await store.close();
    await rm(dataDir, { recursive: true });
  }
}

function fillConfiguration(raw: BetterSqlite3.Database): void {
  raw.exec(
    `insert into project (id, user_id, name, api_key, created_at, updated_at) values ('prj', 'u', 'p', 'k', 0, 0)`,
  );
  const insert = raw.prepare(
    `insert into monitor (id, project_id, name, type, config, generation, token, created_at, updated_at)
     values (?, 'prj', 'A monitor', 'http', '{"url":"https://example.com/","interval":60}', 1, ?, 0, 0)`,
  );
  raw.transaction(() => {
    for (let at = 0; at < monitors; at++) insert.run(`mon_${at}`, `token_${at}`);
  })();
}

/** Returns the CPU time of `work` divided by `count`, in microseconds. */
async function cpu(count: number, work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

async function hotPath(store: Store, raw: BetterSqlite3.Database): Promise<Measurement[]> {
  const rawSelect = raw.prepare('select seq, name, config from monitor where token = ?');
  const rawInsert = raw.prepare('insert into result (monitor, at, region, code, tenths) values (?, ?, ?, ?, ?)');
  const select = prepare(store, (db, p: { token: string }) =>
    db.selectFrom('monitor').select(['seq', 'name', 'config']).where('token', '=', p.token),
  );
  const insert = prepare(store, (db, p: { monitor: number; at: number; tenths: number }) =>
    db.insertInto('result').values({ monitor: p.monitor, at: p.at, region: 1, code: 1, tenths: p.tenths }),
  );

  const times: Record<'rawSelect' | 'select' | 'build' | 'rawInsert' | 'insert', number[]> = {
    rawSelect: [],
    select: [],
    build: [],
    rawInsert: [],
    insert: [],
  };
  let at = 0;
  const token = (run: number) => `token_${run % monitors}`;
  const works: Record<keyof typeof times, () => void | Promise<void>> = {
    rawSelect() {
      for (let run = 0; run < runs; run++) rawSelect.all(token(run));
    },
    async select() {
      for (let run = 0; run < runs; run++) await select(store.db, { token: token(run) });
    },
    async build() {
      const { db } = store;
      const columns = ['seq', 'name', 'config'] as const;
      for (let run = 0; run < runs; run++)
        await db.selectFrom('monitor').select(columns).where('token', '=', token(run)).execute();
    },
    rawInsert() {
      raw.exec('begin immediate');
      for (let run = 0; run < runs; run++) rawInsert.run(0, at++, 1, 1, 1234);
      raw.exec('commit');
    },
    insert: () =>
      store.write(async (trx) => {
        for (let run = 0; run < runs; run++) await insert(trx, { monitor: 0, at: at++, tenths: 1234 });
      }),
  };
  // The first round only warms up. Its times are not used.
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(works) as (keyof typeof times)[]) {
      const time = await cpu(runs, works[name]);
      if (round > 0) times[name].push(time);
    }
  }
  raw.exec('delete from result');

  return [
    against('a prepared select', times.select, times.rawSelect, 4),
    against('a prepared insert in a transaction', times.insert, times.rawInsert, 4),
    against('a select built by Kysely each time', times.build, times.rawSelect),
  ];
}

async function history(store: Store, raw: BetterSqlite3.Database): Promise<Measurement[]> {
  const minutes = 1440;
  const start = Date.UTC(2026, 0, 1);
  fillHistory(raw, { minutes, start });

  const size = raw
    .prepare(`select sum(pgsize) as bytes, sum(unused) as unused from dbstat where name = 'result'`)
    .get();
  const { bytes, unused } = size as { bytes: number; unused: number };
  const rows = monitors * minutes;

  const day = prepare(store, (db, p: { monitor: number; from: number; to: number }) =>
    db
      .selectFrom('result')
      .select(['at', 'code', 'tenths'])
      .where('monitor', '=', p.monitor)
      .where('at', '>=', p.from)
      .where('at', '<', p.to)
      .orderBy('at'),
  );
  const rawDay = raw.prepare(
    'select at, code, tenths from result where monitor = ? and at >= ? and at < ? order by at',
  );
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const monitor = 1 + round * 100;
    bare.push(
      await cpu(50, () => {
        for (let run = 0; run < 50; run++) rawDay.all(monitor + run, start, start + 86_400_000);
      }),
    );
    ours.push(
      await cpu(50, async () => {
        for (let run = 0; run < 50; run++)
          await day(store.db, { monitor: monitor + run, from: start, to: start + 86_400_000 });
      }),
    );
  }
  return [
    {
      name: 'bytes of a stored result',
      value: bytes / rows,
      unit: 'bytes',
      bar: { maxValue: 22 },
      detail: `${rows} rows of ${monitors} monitors, stored in the order of time; ${((100 * unused) / bytes).toFixed(0)} % of the pages free`,
    },
    {
      name: `read one monitor's results of a day, among results of ${monitors} monitors`,
      value: median(ours) / median(bare),
      unit: '× bare better-sqlite3',
      bar: { maxValue: 4 },
      detail: `${median(ours).toFixed(0)} µs against ${median(bare).toFixed(0)} µs for ${minutes} rows`,
    },
  ];
}

const against = (name: string, ours: number[], bare: number[], maxValue?: number): Measurement => ({
  name,
  value: median(ours) / median(bare),
  unit: '× bare better-sqlite3',
  ...(maxValue === undefined ? {} : { bar: { maxValue } }),
  detail: `${median(ours).toFixed(2)} µs against ${median(bare).toFixed(2)} µs`,
});

/** Stores the results of a day, in the order in which checks would end. */
function fillHistory(raw: BetterSqlite3.Database, { minutes, start }: { minutes: number; start: number }): void {
  const insert = raw.prepare('insert into result (monitor, at, region, code, tenths) values (?, ?, 1, ?, ?)');
  raw.pragma('synchronous = off');
  // Every monitor has one result a minute, at its own second. One result in a hundred is a failure.
  const minute = raw.transaction((from: number) => {
    for (let monitor = 1; monitor <= monitors; monitor++) {
      const failed = (from / 60_000 + monitor) % 100 === 0;
      const tenths = failed ? null : 200 + ((monitor * 7919 + from / 1000) % 5000);
      insert.run(monitor, from + monitor * 57, failed ? resultCode('http_status', 500) : resultCode(null, 200), tenths);
    }
  });
  for (let at = 0; at < minutes; at++) minute(start + at * 60_000);
}

if (import.meta.main) report(await benchStore());
