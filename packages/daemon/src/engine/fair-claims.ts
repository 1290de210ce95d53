import { interleaveByOwner } from '../core/fair-share.ts';
import type { SteadyClock } from '../deps.ts';
import type { DueMonitor } from '../store/claim-due.ts';
import type { CheckSlots } from './check-slots.ts';
import type { ClaimedMonitor, Claims } from './claims.ts';
import { createCrowdedProjects } from './crowded-projects.ts';

/** Maximum number of checks that are claimed at once, so that no write transaction is long. */
export const maxClaims = 200;
/**
 * If a batch of claims is full, a project with more checks than this in the batch counts as crowded: see
 * `createFairClaims`.
 */
const maxPerBatch = 16;
/**
 * While some projects are crowded, this is the time between two reads of all due checks of the other projects. The
 * reads in between cover only newly due checks.
 */
const fullLookAfterMs = 500;
/**
 * Each read of newly due checks also covers this much time before the previous read. A transaction that makes a check
 * due may commit a little after the due time. Then the previous read could not see that check.
 */
const overlapOfLooksMs = 200;

export interface TakenClaims {
  claimed: ClaimedMonitor[];
  /** Whether more checks can be claimed now, without a wait. */
  more: boolean;
}

/** Claims the due checks of the schedule, in fair shares by project. */
export interface FairClaims {
  /**
   * Claims the checks that may begin now. `pending` returns the checks that were claimed before and have not begun yet.
   */
  take(pending?: () => readonly DueMonitor[]): Promise<TakenClaims>;
  /** Records the cost of a check that a project begins. */
  charge(project: string, cost: number): void;
  /** How late the most overdue check of a project was when the due checks were last read. */
  latenessMs(project: string): number;
  /** How late the most overdue check was when the due checks were last read. Crowded projects are left out. */
  latenessOfOthers(): number;
  /** Projects that have more due checks than their share, and how many milliseconds each project is late. */
  crowded(): ReadonlyMap<string, number>;
}

/**
 * Creates the object that claims due checks. The checks of most projects are claimed as they become due; the check that
 * has been due longest comes first. A project with more due checks than its share is crowded. Crowded projects come
 * after all other projects. They take turns, by the cost of their checks, until their backlog is gone.
 */
export function createFairClaims(options: { clock: SteadyClock; claims: Claims; slots: CheckSlots }): FairClaims {
  const { clock, claims, slots } = options;
  const crowded = createCrowdedProjects(options);
  let lateOfOthers = new Map<string, number>();
  /**
   * `fullLookMonoMs`: when all due checks were last read. `until`: the checks that were due by this time have been
   * claimed, except those of crowded projects.
   */
  const look = { fullLookMonoMs: -Infinity, until: 0 };

  const takeOthers = async (
    { everything, limit }: { everything: boolean; limit: number },
    pending: () => readonly DueMonitor[],
  ): Promise<{ kept: ClaimedMonitor[]; full: boolean }> => {
    const now = clock.now();
    const except = crowded.projects();
    const rows = await claims.takeDue({ limit, of: { except }, ...(!everything && { after: look.until }) });
    const full = rows.length === limit;
    lateOfOthers = latenessOf(rows, now);
    if (!full) look.until = now - overlapOfLooksMs;

    const counts = new Map<string, number>();
    const before = countByProject(pending());
    const beyond: ClaimedMonitor[] = [];
    const kept = rows.filter((row) => {
      const { project } = row;
      const count = (counts.get(project) ?? 0) + 1;
      counts.set(project, count);
      if (full && count > maxPerBatch) crowded.add(project);
      if (count + (before.get(project) ?? 0) <= slots.mayBegin(project)) return true;
      crowded.add(project);
      beyond.push(row);
      return false;
    });
    await claims.giveBack(beyond);
    return { kept: full ? interleaveByOwner(kept, ({ project }) => project) : kept, full };
  };

  return {
    async take(pending = () => []) {
      const everything = crowded.count() === 0 || clock.monotonicMs() - look.fullLookMonoMs >= fullLookAfterMs;
      if (everything) look.fullLookMonoMs = clock.monotonicMs();
      if (everything && crowded.count() > 0) await crowded.review();
      const limit = Math.min(slots.free() - pending().length, maxClaims);
      if (limit <= 0) {
        const oldest = await claims.oldestDue({ except: crowded.projects() });
        lateOfOthers = new Map(oldest === null ? [] : [['', Math.max(0, clock.now() - oldest)]]);
        return { claimed: [], more: false };
      }
      const others = await takeOthers({ everything, limit }, pending);
      const fromCrowded = await crowded.takeTurns(limit - others.kept.length, [...pending(), ...others.kept]);
      const more = others.full || (fromCrowded.length > 0 && crowded.count() > 0);
      return { claimed: [...others.kept, ...fromCrowded], more };
    },
    charge: (project, cost) => crowded.charge(project, cost - 1),
    latenessMs: (project) => crowded.latenessMs(project) ?? lateOfOthers.get(project) ?? 0,
    latenessOfOthers: () => Math.max(0, ...lateOfOthers.values()),
    crowded: () => crowded.lateness(),
  };
}

function countByProject(monitors: readonly DueMonitor[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of monitors) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}

function latenessOf(rows: readonly DueMonitor[], now: number): Map<string, number> {
  const late = new Map<string, number>();
  for (const { project, next_at: due } of rows) late.set(project, Math.max(late.get(project) ?? 0, now - due));
  return late;
}
