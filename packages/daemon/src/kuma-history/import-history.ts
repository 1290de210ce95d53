import type { Transaction } from 'kysely';
import type { Clock } from '../deps.ts';
import { dayMs } from '../core/uptime.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import { horizonsAt } from '../recording/forget-past.ts';
import { readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { wait } from '../wait.ts';
import { HistoryError } from './history-error.ts';
import type { WholeDay } from './history-rows.ts';
import { type KumaFile, type KumaMonitor, openKumaFile } from './kuma-file.ts';
import { matchMonitors } from './match-monitors.ts';
import { extentOf, type HistoryExtent, readHistory } from './read-history.ts';
import { createHistoryWriter, type HistoryWriter } from './write-history.ts';

export interface ImportOptions {
  store: Store;
  clock: Clock;
  /** The path of kuma.db. */
  file: string;
  /** The id of the project. */
  project: string;
  /** The name of the region that the imported checks are stored for. */
  region: string;
  rawRetentionDays: number;
  /** If false, the import only finds out what it would write. */
  writes: boolean;
  /**
   * Called with a line about each monitor: which part of its history was or would be imported, or that nothing is new.
   */
  tell: (line: string) => void;
}

export interface Imported {
  /** How many monitors got a history. If `writes` is false: how many monitors would get one. */
  monitors: number;
  /** The monitors of Uptime Kuma whose history is not imported, with the reason. */
  unmatched: string[];
}

/**
 * Imports the history of Uptime Kuma. The imported history of a monitor ends at the time when the monitor was created
 * here. So the import changes neither a status nor an alert. A repeated import continues where the last one ended.
 * Throws HistoryError if the file or the project cannot be used.
 */
export async function importHistory(options: ImportOptions): Promise<Imported> {
  const { store, clock, project, writes, tell } = options;
  const own = await readMonitors(store, project);
  const move = await readMove(store.db);
  if (move?.state === 'filled')
    throw new HistoryError(
      'Data was moved to this PostgreSQL, but no daemon has used it yet. Start the daemon once, and then import the history.',
    );
  // In state `used`, the move to this database is over.
  if (move && move.state !== 'used')
    throw new HistoryError(
      'The data is being moved to PostgreSQL, or was moved there. Import the history after the move, into PostgreSQL.',
    );
  const file = openKumaFile(options.file);
  try {
    const horizons = horizonsAt(clock.now(), options.rawRetentionDays);
    const writer = createHistoryWriter(store, horizons);
    const region = writes ? await store.write((trx) => servedRegion(trx, options.region)) : 0;
    const { matched, unmatched } = matchMonitors(file.monitors, own);
    let monitors = 0;
    for (const { kuma, own: target } of matched) {
      const extent = remaining(extentOf(file, kuma), target, horizons.days * dayMs);
      if (extent === null) {
        tell(`${kuma.name}: nothing new before ${dateOf(target.created_at)}, when its history here begins`);
        continue;
      }
      monitors++;
      const span = `${dateOf(extent.from)} to ${dateOf(extent.until - 1)}`;
      if (!writes) tell(`${kuma.name}: ${span}`);
      else
        tell(`${kuma.name}: ${span}${await importOne({ clock, file, writer }, kuma, { ...target, region }, extent)}`);
    }
    return { monitors, unmatched: unmatched.map(({ kuma, why }) => `${kuma.name || kuma.type}: ${why}`) };
  } finally {
    file.close();
  }
}

/**
 * Returns the number of the region that gets the imported checks. It is the region `name` if a daemon or a probe has
 * served it. Otherwise it is the first region that was served, because the environment of this command may lack the
 * setting that names the daemon's region. If no region was served yet, it is `name`, which is added if it is new.
 */
async function servedRegion(trx: Transaction<Tables>, name: string): Promise<number> {
  const served = await trx.selectFrom('region').select(['id', 'name']).where('seen_at', '>', 0).orderBy('id').execute();
  const region = served.find((one) => one.name === name) ?? served[0];
  return region?.id ?? regionNumber(trx, name);
}

interface OwnRow {
  seq: number;
  name: string;
  key: string | null;
  created_at: number;
  config: Record<string, unknown>;
  from_at: number | null;
  until_at: number | null;
}

async function readMonitors({ db }: Store, project: string): Promise<OwnRow[]> {
  if (!(await db.selectFrom('project').select('id').where('id', '=', project).executeTakeFirst()))
    throw new HistoryError(`There is no project ${project}. \`uptime projects list\` shows the ids.`);
  const rows = await db
    .selectFrom('monitor')
    .leftJoin('imported_history', 'imported_history.monitor', 'monitor.seq')
    .select(['seq', 'name', 'key', 'created_at', 'config', 'from_at', 'until_at'])
    .where('project_id', '=', project)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, config: JSON.parse(row.config) as Record<string, unknown> }));
}

/**
 * Returns the part of a history to import: what is not yet imported, not past its retention, and from before the
 * monitor was created here. Null if there is no such part.
 */
function remaining(extent: HistoryExtent | null, own: OwnRow, oldest: number): HistoryExtent | null {
  if (extent === null) return null;
  const from = Math.max(extent.from, own.until_at ?? 0, oldest);
  const until = Math.min(extent.until, own.created_at);
  return from < until ? { ...extent, from, until } : null;
}

/** A transaction writes days until it has this many days or rows, so that the daemon's writes do not wait for long. */
const [maxDaysOfWrite, maxRowsOfWrite] = [60, 1000];

interface Import {
  clock: Clock;
  file: KumaFile;
  writer: HistoryWriter;
}

/** Imports the history of one monitor. Resolves with the text that follows the monitor's name in the printed line. */
async function importOne(
  { clock, file, writer }: Import,
  kuma: KumaMonitor,
  target: OwnRow & { region: number },
  extent: HistoryExtent,
): Promise<string> {
  const from = target.from_at ?? extent.from;
  let [doneUntil, checks, rows] = [target.until_at, 0, 0];
  let days: WholeDay[] = [];
  let beats: WholeDay['beats'][number][] = [];
  const write = async (): Promise<boolean> => {
    const startedMonoMs = clock.monotonicMs();
    if (!(await writer.days(target, days, { from, doneUntil }))) return false;
    [doneUntil, days, rows] = [days.at(-1)!.until, [], 0];
    await rest(clock, startedMonoMs);
    return true;
  };
  for (const piece of readHistory(file, kuma, extent)) {
    const startedMonoMs = clock.monotonicMs();
    const written = await writer.beats(target, piece.beats);
    if (written > 0) await rest(clock, startedMonoMs);
    checks += written;
    beats.push(...piece.beats);
    if (piece.day === null) continue;
    rows += beats.length + piece.day.hours.size + piece.day.spentByHour.size + piece.day.changes.length + 1;
    days.push({ ...piece.day, beats });
    beats = [];
    const isEnough = days.length >= maxDaysOfWrite || rows >= maxRowsOfWrite;
    if (isEnough && !(await write())) return ': the monitor was deleted meanwhile';
  }
  if (days.length > 0 && !(await write())) return ': the monitor was deleted meanwhile';
  return checks > 0 ? `, with ${checks.toLocaleString('en')} single checks` : '';
}

const maxRestMs = 100;

/**
 * Waits for as long as the last write took, up to `maxRestMs`. So the daemon has the disk to itself for about half of
 * the time.
 */
const rest = (clock: Clock, startedMonoMs: number): Promise<void> =>
  wait(clock, Math.min(maxRestMs, Math.max(1, clock.monotonicMs() - startedMonoMs)));

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
