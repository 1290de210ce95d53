import { activeMonitorTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { reassign } from '../core/lifecycle.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { nextTurn } from '../wait.ts';
import { chooseRegions } from './choose-regions.ts';
import { usableRegions } from './regions.ts';

interface Refit {
  now: number;
  /** No region counts as silent until `silentAfterMs` after this time, in epoch milliseconds. */
  observingSince: number;
  /** Whether to change only monitors whose plan limits their regions, and that have a retired region. */
  onlyRetired: boolean;
}

/** The new regions of a monitor. */
interface Move {
  monitor: number;
  project: string;
  paused: boolean;
  /** The regions as the monitor's state stores them. */
  regions: string;
  added: number[];
  dropped: number[];
}

/** Maximum number of monitors that one transaction changes. On SQLite, a transaction blocks the event loop. */
const maxMovesAtOnce = 100;

/**
 * Sets the regions of all monitors that name no regions, as `chooseRegions` returns them. Resolves with how many
 * monitors changed. Each transaction changes only some monitors, so that other work can run in between. After an
 * interruption, the next call changes only the remaining monitors.
 */
export async function refitRegions(store: Store, refit: Refit): Promise<number> {
  let changed = 0;
  for await (const range of monitorRanges(store.db)) {
    const found = await findMoves(store.db, range, refit);
    for (let from = 0; from < found.length; from += maxMovesAtOnce) {
      await nextTurn();
      const some = found.slice(from, from + maxMovesAtOnce).map(({ monitor }) => monitor);
      changed += await store.write((trx) => movePiece(store, trx, some, refit), { durable: false });
    }
  }
  return changed;
}

/** Changes those of the given monitors that still have to change. Resolves with the number of changed monitors. */
async function movePiece(
  store: Store,
  trx: Transaction<Tables>,
  monitors: readonly number[],
  refit: Refit,
): Promise<number> {
  const moves = await findMoves(trx, monitors, refit, store.dialect.forUpdate);
  if (moves.length > 0) await writeMoves(store, trx, moves, refit.now);
  return moves.length;
}

async function findMoves(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  among: MonitorRange | readonly number[],
  { now, observingSince, onlyRetired }: Refit,
  lock?: Store['dialect']['forUpdate'],
): Promise<Move[]> {
  const inRange = db
    .selectFrom('monitor')
    .where((row) => ('first' in among ? row.between('seq', among.first, among.last) : row('seq', 'in', [...among])))
    .where('type', 'in', activeMonitorTypes)
    .$if(onlyRetired, (query) => query.where('region_limit', 'is not', null));
  // This statement locks the rows, so that the next statements read each monitor in its latest version.
  const rows = await db
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor', 'in', inRange.select('seq'))
    .orderBy('monitor')
    .$if(lock !== undefined, (query) => query.modifyEnd(lock!))
    .execute();
  if (rows.length === 0) return [];
  const monitors = await inRange
    .select(['seq', 'type', 'key', 'name', 'bytes', 'region_limit', 'project_id'])
    .orderBy('seq')
    .execute();
  const usable = await usableRegions(db, { now, observingSince });
  const isUsable = (region: number) => usable.some(({ id }) => id === region);
  const states = new Map(rows.map((row) => [row.monitor, stateFromRow(row)]));
  const moves: Move[] = [];
  await eachConfig(db, monitors, (row) => {
    const { seq: monitor, region_limit: limit, project_id: project } = row;
    const state = states.get(monitor);
    if (!state || storedFields(row).regions.length > 0) return;
    const has = Object.keys(state.regions).map(Number);
    if (onlyRetired && has.every(isUsable)) return;
    const next = chooseRegions(has, { limit, usable });
    const added = next.filter((region) => !has.includes(region));
    const dropped = has.filter((region) => !next.includes(region));
    // If no region is left, the monitor keeps its retired region, and is checked again as soon as that region is back.
    if (next.length === 0 || added.length + dropped.length === 0) return;
    const { regions } = stateToRow(reassign(state, next));
    moves.push({ monitor, project, paused: state.status === 'paused', regions, added, dropped });
  });
  return moves;
}

async function writeMoves(store: Store, trx: Transaction<Tables>, moves: readonly Move[], now: number): Promise<void> {
  const states = moves.map(({ monitor, regions }) => ({ monitor, regions }));
  await trx
    .updateTable('monitor_state')
    .from(store.dialect.rows('given', { monitor: 'long', regions: 'text' }, states))
    .set((set) => ({ regions: set.ref('given.regions') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
  for (const region of new Set(moves.flatMap(({ dropped }) => dropped)))
    await trx
      .deleteFrom('schedule')
      .where('region', '=', region)
      .where(
        'monitor',
        'in',
        moves.filter(({ dropped }) => dropped.includes(region)).map(({ monitor }) => monitor),
      )
      .execute();
  const due = moves
    .filter(({ paused }) => !paused)
    .flatMap(({ monitor, project, added }) => added.map((region) => ({ monitor, region, project })));
  if (due.length === 0) return;
  await trx
    .insertInto('schedule')
    .columns(['monitor', 'region', 'next_at', 'lease_until', 'project'])
    .expression(
      trx
        .selectFrom(store.dialect.rows('given', { monitor: 'long', region: 'integer', project: 'text' }, due))
        .select(['monitor', 'region', sql.lit(now).as('next_at'), sql.lit(0).as('lease_until'), 'project'])
        // Without this condition, SQLite would read `on conflict` as the condition of a join.
        .where(sql.lit(true)),
    )
    .onConflict((conflict) => conflict.columns(['monitor', 'region']).doNothing())
    .execute();
}
