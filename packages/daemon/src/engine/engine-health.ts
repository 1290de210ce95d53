import type { Deps } from '../deps.ts';
import { silentAfterMs, unservedAfterMs } from '../lifecycle/regions.ts';
import type { Store } from '../store/store.ts';
import type { Checker } from './checker.ts';
import { countOverdue } from './deliveries.ts';
import { findHungLoops, type WatchedLoop } from './hung-loops.ts';
import { warnOfUnservedRoles } from './other-nodes.ts';
import type { Presence } from './presence.ts';

/** If a check is later than this, the daemon does not keep its schedule. */
const tooLateMs = 10_000;
/** If the store has accepted no sign of life for this time, it counts as not writable. */
const tooSilentMs = 5000;

export interface EngineHealth {
  /** Why the daemon cannot serve, or null. It does not query the store. */
  reason(): string | null;
  /** Warnings about what works only in part. It queries the store. */
  warnings(): Promise<string[]>;
}

interface Watched {
  store: Store;
  presence: Pick<Presence, 'silence' | 'shortRuns'>;
  checker: Pick<Checker, 'refusedForMs' | 'latenessMs' | 'idleForMs' | 'ownFault' | 'crowded'>;
  loops: readonly WatchedLoop[];
  networkTrouble: () => string | null;
  /** The fraction of its slots that the checker may use, from 0 to 1: less than 1 after crashes. */
  capacity: () => number;
}

/** Derives the daemon's health from the engine's loops. */
export function createEngineHealth({ clock }: Pick<Deps, 'clock'>, watched: Watched): EngineHealth {
  const { store, presence, checker, loops, networkTrouble, capacity } = watched;
  return {
    reason() {
      const silence = presence.silence();
      if (silence.ms > tooSilentMs) return silence.reason;
      // A sign of life needs no space, so a full disk may still accept it.
      if (checker.refusedForMs() > tooSilentMs) return 'The store refuses the results of checks.';
      const late = Math.max(checker.latenessMs(), checker.idleForMs());
      if (late > tooLateMs) return `Checks are late by ${Math.round(late / 1000)} s.`;
      return findHungLoops(loops).reason;
    },
    async warnings() {
      const warnings = findHungLoops(loops).warnings;
      const trouble = networkTrouble();
      const fault = checker.ownFault();
      warnings.push(...(await warnOfUnservedRoles(store, clock.now())));
      warnings.push(...(await unservedRegions(store, clock.now())), ...(await probeWarnings(store, clock.now())));
      if (trouble !== null) warnings.push(trouble);
      else if (fault !== null)
        warnings.push(`Checks are failing inside the checker; monitor statuses are unchanged. ${fault}`);
      if (capacity() < 1) {
        const part = Math.round(capacity() * 100);
        warnings.push(
          `The last ${presence.shortRuns} runs crashed within a minute of their start. Checks start slowly: at ${part} % of capacity now.`,
        );
      }
      const late = lateProjects(checker);
      if (late !== null) warnings.push(late);
      const overdue = await countOverdue(store, clock.now());
      if (overdue > 0) warnings.push(`Messages to ${overdue} channel(s) have been waiting for more than a minute.`);
      return warnings;
    },
  };
}

/** Reports projects that are late because of their own number of checks, which is not a fault of this process. */
function lateProjects(checker: Pick<Checker, 'crowded'>): string | null {
  const late = [...checker.crowded().values()].filter((lateMs) => lateMs > tooLateMs);
  if (late.length === 0) return null;
  const seconds = Math.round(Math.max(...late) / 1000);
  return `Checks of ${late.length} project(s) are late, by up to ${seconds} s: more of them are due than their share of this server.`;
}

/** Regions that monitors use and no daemon or probe serves. */
async function unservedRegions(store: Store, now: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('schedule')
    .innerJoin('region', 'region.id', 'schedule.region')
    .select(['region.name', store.db.fn.countAll<number>().as('monitors')])
    .where('region.seen_at', '<', now - unservedAfterMs)
    .groupBy('region.name')
    .execute();
  return rows.map(
    (row) => `No daemon or probe checks from region "${row.name}", and ${row.monitors} monitor(s) use it.`,
  );
}

/**
 * Probes that crashed or were cut off, and probes that cannot check. A probe that was stopped on purpose is left out.
 */
async function probeWarnings(store: Store, now: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('probe')
    .innerJoin('region', 'region.id', 'probe.region')
    .select(['probe.name', 'region.name as region', 'probe.seen_at', 'probe.fault'])
    .where('probe.left_at', 'is', null)
    .where((row) => row.or([row('probe.seen_at', '<', now - silentAfterMs), row('probe.fault', 'is not', null)]))
    .orderBy('probe.name')
    .limit(20)
    .execute();
  return rows.map(({ name, region, seen_at: seenAt, fault }) => {
    const who = `Probe ${name.slice(0, 8)} of region "${region}"`;
    if (seenAt < now - silentAfterMs) return `${who} is silent: it last reported at ${new Date(seenAt).toISOString()}.`;
    return `${who} cannot check: ${fault}`;
  });
}
