import { interleaveByOwner } from '../core/fair-share.ts';
import { nextRound, type StartTurn, startsOf } from '../core/start-turns.ts';
import type { Clock } from '../deps.ts';
import type { DueMonitor } from '../store/claim-due.ts';
import type { CheckSlots } from './check-slots.ts';
import type { ClaimedMonitor, Claims } from './claims.ts';

/**
 * Total cost of the checks that one call of `takeTurns` claims; a plain check costs 1. Checks of this total cost take
 * about 40 ms to start, and then the due checks of other projects come first. On PostgreSQL each call also waits for
 * several round trips, so a lower number would mean fewer checks per second.
 */
const roundCost = 200;
/** One call of `takeTurns` claims checks of at most this many crowded projects, because each project takes a query. */
const maxServedInRound = 10;
/** Maximum number of crowded projects that one call of `review` reads. */
const maxReviewedAtOnce = 50;
/** The crowded projects: those with more due checks than their share. They take turns until their backlog is gone. */
export interface CrowdedProjects {
  count(): number;
  projects(): string[];
  add(project: string): void;
  /** Updates how late the crowded projects are. A project without a backlog is no longer crowded after that. */
  review(): Promise<void>;
  /**
   * Claims up to `room` checks of crowded projects, and charges a project 1 for each claimed check. `pending` are
   * checks that were claimed earlier and have not begun.
   */
  takeTurns(room: number, pending: readonly DueMonitor[]): Promise<ClaimedMonitor[]>;
  /** Charges a project for a check that begins: the check's cost minus 1, because `takeTurns` has charged 1 already. */
  charge(project: string, cost: number): void;
  /** How many milliseconds a project is late, if that is known. */
  latenessMs(project: string): number | undefined;
  /** How many milliseconds each crowded project is late. */
  lateness(): ReadonlyMap<string, number>;
}

export function createCrowdedProjects({
  clock,
  claims,
  slots,
}: {
  clock: Pick<Clock, 'now'>;
  claims: Pick<Claims, 'takeDue' | 'oldestDue'>;
  slots: Pick<CheckSlots, 'mayBegin'>;
}): CrowdedProjects {
  let turns: StartTurn[] = [];
  const lateOf = new Map<string, number>();

  const add = (project: string) => {
    if (!turns.some(({ owner }) => owner === project)) turns.push({ owner: project, credit: 0 });
  };
  const remove = (project: string) => {
    turns = turns.filter(({ owner }) => owner !== project);
    lateOf.delete(project);
  };

  const review = async () => {
    const reviewed = turns.slice(0, maxReviewedAtOnce);
    turns = [...turns.slice(maxReviewedAtOnce), ...reviewed];
    for (const { owner } of reviewed) {
      const oldest = await claims.oldestDue({ project: owner });
      if (oldest === null) remove(owner);
      else lateOf.set(owner, Math.max(0, clock.now() - oldest));
    }
  };

  const takeTurns = async (room: number, pending: readonly DueMonitor[]): Promise<ClaimedMonitor[]> => {
    const mayBegin = (owner: string) =>
      slots.mayBegin(owner) - pending.filter(({ project }) => project === owner).length;
    const eligible = turns.filter(({ owner }) => mayBegin(owner) > 0);
    const granted = new Map(nextRound(eligible, roundCost).map((turn) => [turn.owner, turn]));
    turns = turns.map((turn) => granted.get(turn.owner) ?? turn);
    const taken: ClaimedMonitor[] = [];
    const served = [...granted.values()].toSorted((a, b) => b.credit - a.credit).slice(0, maxServedInRound);
    for (const turn of served) {
      const limit = Math.min(startsOf(turn), mayBegin(turn.owner), room - taken.length);
      if (limit <= 0) continue;
      const rows = await claims.takeDue({ limit, of: { project: turn.owner } });
      if (rows.length < limit) remove(turn.owner);
      else lateOf.set(turn.owner, Math.max(0, clock.now() - rows[0]!.next_at));
      // Each check costs at least 1. Any cost above that is charged when the check begins.
      turn.credit -= rows.length;
      taken.push(...rows);
    }
    return interleaveByOwner(taken, ({ project }) => project);
  };

  return {
    count: () => turns.length,
    projects: () => turns.map(({ owner }) => owner),
    add,
    review,
    takeTurns,
    charge(project, cost) {
      const turn = turns.find(({ owner }) => owner === project);
      if (turn) turn.credit -= cost;
    },
    latenessMs: (project) => lateOf.get(project),
    lateness: () => new Map(turns.map(({ owner }) => [owner, lateOf.get(owner) ?? 0])),
  };
}
