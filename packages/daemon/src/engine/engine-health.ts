import type { Deps } from '../deps.ts';
import { unservedAfterMs } from '../operations/regions.ts';
import type { Store } from '../store/store.ts';
import type { Checker } from './checker.ts';
import type { Deliveries } from './deliveries.ts';
import { findHungLoops, type WatchedLoop } from './hung-loops.ts';
import type { Presence } from './presence.ts';

/** A check later than this, in milliseconds, means that the schedule is not kept. */
const tooLate = 10_000;
/** So long without a sign of life taken by the store, in milliseconds, means that it cannot be written. */
const tooSilent = 5000;

export interface EngineHealth {
  /** Why the daemon cannot serve, or null. It is known without asking the store. */
  reason(): string | null;
  /** What works less than fully. Asks the store. */
  warnings(): Promise<string[]>;
}

interface Watched {
  store: Store;
  presence: Pick<Presence, 'silence' | 'shortRuns'>;
  checker: Pick<Checker, 'refusedFor' | 'lateness' | 'idleFor' | 'ownFault' | 'crowded'>;
  deliveries: Pick<Deliveries, 'overdue'>;
  loops: readonly WatchedLoop[];
  networkTrouble: () => string | null;
  /** The part of its places that the checker may use, from 0 to 1: less than all after crashes. */
  capacity: () => number;
}

/** Tells from the engine's loops how the daemon is. */
export function createEngineHealth({ clock }: Pick<Deps, 'clock'>, watched: Watched): EngineHealth {
  const { store, presence, checker, deliveries, loops, networkTrouble, capacity } = watched;
  return {
    reason() {
      const silence = presence.silence();
      if (silence.ms > tooSilent) return silence.reason;
      // A sign of life takes no room: there may be some for that alone.
      if (checker.refusedFor() > tooSilent) return 'The store takes no results of checks.';
      const late = Math.max(checker.lateness(), checker.idleFor());
      if (late > tooLate) return `Checks are late by ${Math.round(late / 1000)} s.`;
      return findHungLoops(loops).reason;
    },
    async warnings() {
      const warnings = findHungLoops(loops).warnings;
      const trouble = networkTrouble();
      const fault = checker.ownFault();
      warnings.push(...(await unservedRegions(store, clock.now())));
      if (trouble !== null) warnings.push(trouble);
      else if (fault !== null) warnings.push(`Checks could not be carried out, and judge nobody: ${fault}`);
      if (capacity() < 1) {
        const part = Math.round(capacity() * 100);
        warnings.push(
          `The last ${presence.shortRuns} runs crashed within a minute of their start. Checks begin slowly: at ${part} % now.`,
        );
      }
      const late = lateProjects(checker);
      if (late !== null) warnings.push(late);
      const overdue = await deliveries.overdue();
      if (overdue > 0) warnings.push(`Messages to ${overdue} channel(s) wait for more than a minute to be sent.`);
      return warnings;
    },
  };
}

/** Says when projects are late by their own number of checks: that is no fault of this process. */
function lateProjects(checker: Pick<Checker, 'crowded'>): string | null {
  const late = [...checker.crowded().values()].filter((lateMs) => lateMs > tooLate);
  if (late.length === 0) return null;
  const seconds = Math.round(Math.max(...late) / 1000);
  return `Checks of ${late.length} project(s) are late, by ${seconds} s at most: more of them are due than their share of this server.`;
}

/** Regions that monitors wait for and that nobody serves. */
async function unservedRegions(store: Store, now: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('schedule')
    .innerJoin('region', 'region.id', 'schedule.region')
    .select(['region.name', store.db.fn.countAll<number>().as('monitors')])
    .where('region.seen_at', '<', now - unservedAfterMs)
    .groupBy('region.name')
    .execute();
  return rows.map((row) => `Nobody checks from region "${row.name}": ${row.monitors} monitor(s) wait for it.`);
}
