import type { Clock } from '../../deps.ts';
import { defaultRoutes, type Facts } from './facts.ts';

/** The facts about the network during one period. The times are on the monotonic clock. */
export interface Snapshot {
  facts: Facts;
  fromMonoMs: number;
  /** When different facts were seen; Infinity for the current snapshot. */
  toMonoMs: number;
}

export interface FactsLog {
  /** The facts, read again if they are older than `maxAgeMs`. */
  current(maxAgeMs: number): Snapshot;
  /** All snapshots since a time, including the snapshot in force at that time. */
  since(fromMonoMs: number): readonly Snapshot[];
  /** The address families that had a default route at any time since this log was created. */
  hadDefault: ReadonlySet<4 | 6>;
}

/** How many changes are remembered: more than a flapping interface makes during the longest check. */
const maxSnapshots = 64;

/** The facts until they have been read for the first time. */
const nothingKnown: Facts = { routes: [], links: new Map(), own: new Set() };

/**
 * Creates a log of how the facts changed, which shows whether a check overlapped a fault. While `read` returns null,
 * the last facts stay in force.
 */
export function createFactsLog(clock: Clock, read: () => Facts | null): FactsLog {
  const snapshots: Snapshot[] = [];
  const hadDefault = new Set<4 | 6>();
  let readMonoMs = -Infinity;
  let fingerprint = '';
  const current = (maxAgeMs: number) => {
    const nowMonoMs = clock.monotonicMs();
    if (nowMonoMs - readMonoMs >= maxAgeMs) {
      const facts = read();
      readMonoMs = nowMonoMs;
      const seen = facts === null ? fingerprint : fingerprintOf(facts);
      if (facts !== null && seen !== fingerprint) {
        const last = snapshots.at(-1);
        if (last) last.toMonoMs = nowMonoMs;
        snapshots.push({ facts, fromMonoMs: nowMonoMs, toMonoMs: Infinity });
        if (snapshots.length > maxSnapshots) snapshots.shift();
        for (const { family } of defaultRoutes(facts)) hadDefault.add(family);
        fingerprint = seen;
      }
    }
    return snapshots.at(-1) ?? { facts: nothingKnown, fromMonoMs: clock.monotonicMs(), toMonoMs: Infinity };
  };
  return { current, since: (fromMonoMs) => snapshots.filter(({ toMonoMs }) => toMonoMs >= fromMonoMs), hadDefault };
}

const fingerprintOf = ({ routes, links, own }: Facts) =>
  JSON.stringify([routes.map((route) => ({ ...route, network: String(route.network) })), [...links], [...own]]);
