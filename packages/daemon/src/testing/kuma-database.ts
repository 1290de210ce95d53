import Database from 'better-sqlite3';
import { dayMs, hourMs } from '../core/uptime.ts';

/**
 * A check in a database of Uptime Kuma. Times are epoch milliseconds. Status: 0 down, 1 up, 2 retrying, 3 maintenance.
 */
export interface KumaBeat {
  at: number;
  status: 0 | 1 | 2 | 3;
  ping?: number;
  msg?: string;
}

export interface KumaSample {
  name: string;
  type?: string;
  url?: string;
  interval?: number;
  beats?: KumaBeat[];
  /** Rows of `stat_hourly`, which only version 2 has. */
  hours?: KumaStat[];
  /** Rows of `stat_daily`, which only version 2 has. */
  days?: KumaStat[];
}

export interface KumaStat {
  /** A time in the hour or the day, in epoch milliseconds. */
  at: number;
  up: number;
  down: number;
  ping?: number;
  extras?: string;
}

/** The tables of Uptime Kuma 1.23 that an import reads. Version 2 has more columns. */
const version1 = `
  create table monitor (id integer primary key autoincrement, name varchar(150), active boolean not null default 1,
    interval integer not null default 20, url text, type varchar(20), hostname varchar(255), port integer);
  create table heartbeat (id integer primary key autoincrement, important boolean not null default 0,
    monitor_id integer not null, status smallint not null, msg text, time datetime not null, ping integer,
    duration integer not null default 0, down_count integer not null default 0);
  create index monitor_time_index on heartbeat (monitor_id, time);
  create index monitor_important_time_index on heartbeat (monitor_id, important, time);`;

const version2 = `
  alter table heartbeat add column end_time datetime default null;
  alter table heartbeat add column retries integer not null default 0;
  alter table heartbeat add column response text default null;
  ${['stat_minutely', 'stat_hourly', 'stat_daily']
    .map(
      (table) => `create table ${table} (id integer primary key autoincrement, monitor_id integer not null,
        timestamp integer not null, ping float default 0, up smallint not null, down smallint not null,
        ping_min float not null default 0, ping_max float not null default 0, extras text default null,
        unique (monitor_id, timestamp));`,
    )
    .join('\n')}`;

/** Writes a database as Uptime Kuma does. The monitors get the ids 1, 2 and so on. */
export function writeKumaDatabase(path: string, version: 1 | 2, samples: readonly KumaSample[]): void {
  const database = new Database(path);
  database.exec(version === 1 ? version1 : version1 + version2);
  database.transaction(() => {
    for (const sample of samples) insertSample(database, sample);
  })();
  database.close();
}

function insertSample(database: Database.Database, sample: KumaSample): void {
  const { name, type = 'http', url = null, interval = 60, beats = [], hours = [], days = [] } = sample;
  const { lastInsertRowid: id } = database
    .prepare('insert into monitor (name, type, url, interval) values (?, ?, ?, ?)')
    .run(name, type, url, interval);
  const insert = database.prepare(
    'insert into heartbeat (important, monitor_id, status, msg, time, ping) values (?, ?, ?, ?, ?, ?)',
  );
  let last: number | null = null;
  for (const { at, status, ping = null, msg = '' } of beats) {
    // A check that will be retried (status 2) changes no status.
    const isImportant = status !== last && status !== 2;
    if (status !== 2) last = status;
    const time = new Date(at).toISOString().slice(0, 23).replace('T', ' ');
    insert.run(isImportant ? 1 : 0, id, status, msg, time, ping);
  }
  for (const [table, rows, size] of [
    ['stat_hourly', hours, hourMs],
    ['stat_daily', days, dayMs],
  ] as const) {
    for (const { at, up, down, ping = 0, extras = null } of rows)
      database
        .prepare(`insert into ${table} (monitor_id, timestamp, up, down, ping, extras) values (?, ?, ?, ?, ?, ?)`)
        .run(id, (Math.floor(at / size) * size) / 1000, up, down, ping, extras);
  }
}
