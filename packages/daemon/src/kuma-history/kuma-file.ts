import { maxHeartbeatIntervalSeconds } from '@uptime/sdk/contract';
import Database from 'better-sqlite3';
import { dayMs, hourMs } from '../core/uptime.ts';
import { HistoryError } from './history-error.ts';
import { instantOf, numberIn, textIn, textOfInstant } from './kuma-values.ts';

/** A monitor of Uptime Kuma. */
export interface KumaMonitor {
  id: number;
  name: string;
  type: string;
  intervalMs: number;
  url: string;
  host: string;
  port: number | null;
}

/** One check of Uptime Kuma, which calls it a heartbeat. */
export interface Beat {
  at: number;
  status: BeatStatus;
  /** Response time in milliseconds; null if Uptime Kuma stored none. */
  ping: number | null;
  message: string;
}

/** `pending` is a failed check that Uptime Kuma retried. */
export type BeatStatus = 'down' | 'up' | 'pending' | 'maintenance';

const statuses: readonly BeatStatus[] = ['down', 'up', 'pending', 'maintenance'];

/** The counts that Uptime Kuma 2 stores for an hour or a day. */
export interface KumaCounts {
  up: number;
  down: number;
  maintenance: number;
  /** The average response time of the checks that passed, in milliseconds. */
  ping: number;
}

/** A span of epoch milliseconds. */
export interface Span {
  from: number;
  until: number;
}

/** The database of Uptime Kuma, opened for reading only. */
export interface KumaFile {
  monitors: KumaMonitor[];
  /**
   * Returns the checks of a monitor in order of time. With `onlyImportant`, returns only the checks that changed the
   * status. Version 2 of Uptime Kuma deletes old checks that did not change the status.
   */
  beats: (monitor: number, span: Span, onlyImportant: boolean) => Iterable<Beat>;
  /** Returns when the first and the last check of a monitor ran; null if there are no checks. */
  edges: (monitor: number) => Span | null;
  /** Returns the status that a monitor had just before `at`; null if that is not known. */
  statusBefore: (monitor: number, at: number) => 'up' | 'down' | null;
  /** Returns the counts of each hour. The keys are hours since 1970. Empty in version 1, which stores no counts. */
  hours: (monitor: number) => ReadonlyMap<number, KumaCounts>;
  /** Returns the counts of each day. The keys are days since 1970. Empty in version 1. */
  days: (monitor: number) => ReadonlyMap<number, KumaCounts>;
  close: () => void;
}

const pageRows = 1000;
/** How long a read waits if another program has locked the file. */
const lockWaitMs = 300;
/**
 * Maximum number of rows with counts that are read for a monitor. Uptime Kuma keeps fewer: hourly counts for 30 days,
 * and daily counts for a year.
 */
const maxCounts = 20_000;
/** A row that counts more checks than this is damaged. This number is ten checks a second for a day. */
const maxChecks = 864_000;

/** Opens the database of Uptime Kuma. Throws HistoryError if the file is damaged, or is not such a database. */
export function openKumaFile(path: string): KumaFile {
  const database = inWords(
    path,
    () => new Database(path, { readonly: true, fileMustExist: true, timeout: lockWaitMs }),
  );
  try {
    return inWords(path, () => readFile(path, database));
  } catch (error) {
    database.close();
    throw error;
  }
}

function readFile(path: string, database: Database.Database): KumaFile {
  const tables = new Set(database.prepare("select name from sqlite_master where type = 'table'").pluck().all());
  for (const needed of ['monitor', 'heartbeat'])
    if (!tables.has(needed))
      throw new HistoryError(`${path} has no table ${needed}: expected kuma.db, the database of Uptime Kuma.`);
  const rows = (text: string) => {
    const statement = database.prepare<unknown[], Row>(text);
    return (...values: unknown[]) => inWords(path, () => statement.all(...values));
  };
  const page = (onlyImportant: boolean) =>
    rows(`select id, time, status, ping, msg from heartbeat where monitor_id = ? ${onlyImportant ? 'and important = 1' : ''}
      and (time, id) > (?, ?) and time < ? order by time, id limit ${pageRows}`);
  const [all, important] = [page(false), page(true)];
  const edges = rows(`select min(time) as first, max(time) as last from heartbeat
    where monitor_id = ? and time < '3000-'`);
  const before = rows(`select status from heartbeat where monitor_id = ? and important = 1 and status in (0, 1)
    and time < ? order by time desc limit 1`);
  const counts = (table: string, sizeMs: number) => {
    if (!tables.has(table)) return () => new Map<number, KumaCounts>();
    const read = rows(`select * from ${table} where monitor_id = ? order by timestamp desc limit ${maxCounts}`);
    return (monitor: number) => new Map(read(monitor).flatMap((row) => countsIn(row, sizeMs)));
  };
  return {
    monitors: rows('select * from monitor order by id')().map(monitorIn),
    beats: (monitor, span, onlyImportant) => readBeats(onlyImportant ? important : all, monitor, span),
    edges(monitor) {
      const [first, last] = [edges(monitor)[0]?.['first'], edges(monitor)[0]?.['last']].map(instantOf);
      return first == null || last == null ? null : { from: first, until: last };
    },
    statusBefore(monitor, at) {
      const row = before(monitor, textOfInstant(at))[0];
      return row === undefined ? null : numberIn(row['status'], 1) === 1 ? 'up' : 'down';
    },
    hours: counts('stat_hourly', hourMs),
    days: counts('stat_daily', dayMs),
    close: () => void database.close(),
  };
}

type Row = Record<string, unknown>;

const monitorIn = (row: Row): KumaMonitor => ({
  id: numberIn(row['id'], Number.MAX_SAFE_INTEGER) ?? 0,
  name: textIn(row['name']),
  type: textIn(row['type']),
  intervalMs: Math.max(1, numberIn(row['interval'], maxHeartbeatIntervalSeconds) ?? 60) * 1000,
  url: textIn(row['url']),
  host: textIn(row['hostname']),
  port: numberIn(row['port'], 65_535),
});

function* readBeats(page: (...values: unknown[]) => Row[], monitor: number, { from, until }: Span): Generator<Beat> {
  let [time, id]: [unknown, unknown] = [textOfInstant(from), -1];
  let lastAt = from;
  for (;;) {
    const rows = page(monitor, time, id, textOfInstant(until));
    for (const row of rows) {
      const at = instantOf(row['time']);
      const status = statuses[numberIn(row['status'], 3) ?? -1];
      // Skips a row that is damaged or has its time in an unknown format.
      if (at === null || status === undefined || at < lastAt || at >= until) continue;
      lastAt = at;
      yield { at, status, ping: numberIn(row['ping'], 10_000_000), message: textIn(row['msg']) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    [time, id] = [last['time'], last['id']];
  }
}

function countsIn(row: Row, sizeMs: number): [number, KumaCounts][] {
  const seconds = numberIn(row['timestamp'], 1e10);
  if (seconds === null) return [];
  const count = (value: unknown) => Math.round(numberIn(value, maxChecks) ?? 0);
  const [, maintenance] = /"maintenance":\s*(\d{1,7})\b/.exec(textIn(row['extras'])) ?? [];
  const counts = { up: count(row['up']), down: count(row['down']), maintenance: count(maintenance) };
  return [[Math.floor((seconds * 1000) / sizeMs), { ...counts, ping: numberIn(row['ping'], 10_000_000) ?? 0 }]];
}

/** Returns what `read` returns. If SQLite cannot read the file, throws a HistoryError with a full sentence. */
function inWords<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) && !(error instanceof TypeError)) throw error;
    throw new HistoryError(
      `${path} cannot be read as SQLite: ${error.message}. Stop Uptime Kuma, copy its kuma.db together with kuma.db-wal, and give the path of the copy.`,
      { cause: error },
    );
  }
}
