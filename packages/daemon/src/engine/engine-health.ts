import type { Deps } from '../deps.ts';
import { servingWarnings } from '../lifecycle/serving-warnings.ts';
import type { Store } from '../store/store.ts';
import type { Checker } from './checker.ts';
import { countOverdue } from './deliveries.ts';
import { findHungLoops, type WatchedLoop } from './hung-loops.ts';
import type { Presence } from './presence.ts';

/** If the most overdue check is late by more than this, the daemon counts as unable to keep its schedule. */
const tooLateMs = 10_000;
/** If the store has accepted no sign of life for this time, the store counts as not writable. */
const tooSilentMs = 5000;

export interface EngineHealth {
  /** Why the daemon cannot serve, or null. The function does not query the store. */
  reason(): string | null;
  /** Warnings about parts of the daemon that do not work fully. The function queries the store. */
  warnings(): Promise<string[]>;
  /** How late the most overdue check is. Projects with more due checks than their share are left out. */
  latenessMs(): number;
}

interface Watched {
  store: Store;
  presence: Pick<Presence, 'silence' | 'shortRuns'>;
  checker: Pick<Checker, 'refusedForMs' | 'latenessMs' | 'idleForMs' | 'ownFault' | 'crowded'>;
  loops: readonly WatchedLoop[];
  networkTrouble: () => string | null;
  /** The fraction of its slots that the checker may use, from 0 to 1. It is less than 1 for a while after crashes. */
  capacity: () => number;
}

/** Derives the daemon's health from the engine's loops. */
export function createEngineHealth({ clock }: Pick<Deps, 'clock'>, watched: Watched): EngineHealth {
  const { store, presence, checker, loops, networkTrouble, capacity } = watched;
  const latenessMs = () => Math.max(checker.latenessMs(), checker.idleForMs());
  return {
    latenessMs,
    reason() {
      const silence = presence.silence();
      if (silence.ms > tooSilentMs) return silence.reason;
      // A sign of life takes no space, so a store on a full disk may accept signs of life while it refuses results.
      if (checker.refusedForMs() > tooSilentMs) return 'The store refuses the results of checks.';
      const lateMs = latenessMs();
      if (lateMs > tooLateMs) return `Checks are late by ${Math.round(lateMs / 1000)} s.`;
      return findHungLoops(loops).reason;
    },
    async warnings() {
      const warnings = findHungLoops(loops).warnings;
      const trouble = networkTrouble();
      const fault = checker.ownFault();
      warnings.push(...(await servingWarnings(store, clock.now())));
      if (trouble !== null) warnings.push(trouble);
      else if (fault !== null)
        warnings.push(`Checks are failing inside the checker; monitor statuses are unchanged. ${fault}`);
      if (capacity() < 1) {
        const part = Math.round(capacity() * 100);
        warnings.push(
          `The daemon's last ${presence.shortRuns} runs crashed within a minute of their start. Checks start slowly: at ${part} % of capacity now.`,
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

/**
 * Returns a warning about projects whose checks are late because the projects have more due checks than their share;
 * null if there are none. This is not a fault of the process, so it is only a warning.
 */
function lateProjects(checker: Pick<Checker, 'crowded'>): string | null {
  const late = [...checker.crowded().values()].filter((lateMs) => lateMs > tooLateMs);
  if (late.length === 0) return null;
  const seconds = Math.round(Math.max(...late) / 1000);
  return `Checks of ${late.length} project(s) are late, by up to ${seconds} s: these projects have more due checks than their share of this server.`;
}
