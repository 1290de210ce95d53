import { interleave, nextRound, type StartTurn, startsOf } from '../core/start-turns.ts';
import type { SteadyClock } from '../deps.ts';
import type { DueMonitor } from '../store/dialect.ts';
import type { CheckPlaces } from './check-places.ts';
import type { Claims } from './claims.ts';

/** Most claims taken at once, so that no write transaction is long. */
export const maxClaims = 200;
/** A project with more than this in a full batch is crowded. From then on it takes turns. */
const crowdOfBatch = 16;
/**
 * The starts of crowded projects in one round, by cost: some 20 ms of starting. After each round others are looked for.
 */
const roundCost = 60;
/** Crowded projects served in one round. Each costs a query. */
const servedInRound = 10;
/** Most crowded projects that one look reviews. */
const reviewedAtOnce = 50;
/**
 * How often everything due is looked at again while projects are crowded. In between, only newly due checks are looked
 * at.
 */
const fullLookAfterMs = 500;
/** A check may be committed a little after it became due. */
const overlapOfLooksMs = 200;

/** The schedule's due checks, claimed in fair shares by project. */
export interface FairClaims {
  /** Claims what may begin now. `more` means that more can be claimed at once. */
  take(): Promise<{ claimed: DueMonitor[]; more: boolean }>;
  /** Records the cost of a check that the project began. */
  charge(project: string, cost: number): void;
  /** How late the project's most overdue check of the last look was. */
  latenessMs(project: string): number;
  /** The same for all projects within their shares. */
  latenessOfOthers(): number;
  /** Projects that have more due than their share, and how many milliseconds each is late. */
  crowded(): ReadonlyMap<string, number>;
}

/**
 * Claims the checks of most projects as they become due, the longest due first. A project with more due than fits is
 * crowded. Crowded projects take turns, by cost, after everyone else, until their backlog is gone.
 */
export function createFairClaims(options: { clock: SteadyClock; claims: Claims; places: CheckPlaces }): FairClaims {
  const { clock, claims, places } = options;
  let turns: StartTurn[] = [];
  const lateOfCrowded = new Map<string, number>();
  let lateOfOthers = new Map<string, number>();
  /** When everything was last looked at, on the monotonic clock, and up to when the others' checks were claimed. */
  const look = { fullAt: -Infinity, until: 0 };

  const crowd = (project: string) => {
    if (!turns.some(({ owner }) => owner === project)) turns.push({ owner: project, credit: 0 });
  };
  const uncrowd = (project: string) => {
    turns = turns.filter(({ owner }) => owner !== project);
    lateOfCrowded.delete(project);
  };

  /** Updates how late crowded projects are. Those without a backlog are no longer crowded. */
  const reviewCrowded = async () => {
    const reviewed = turns.slice(0, reviewedAtOnce);
    turns = [...turns.slice(reviewedAtOnce), ...reviewed];
    for (const { owner } of reviewed) {
      const oldest = await claims.oldestDue({ project: owner });
      if (oldest === null) uncrowd(owner);
      else lateOfCrowded.set(owner, Math.max(0, clock.now() - oldest));
    }
  };

  const takeOthers = async (everything: boolean): Promise<{ kept: DueMonitor[]; full: boolean }> => {
    const now = clock.now();
    const except = turns.map(({ owner }) => owner);
    const limit = Math.min(places.free(), maxClaims);
    const rows = await claims.takeDue({ limit, of: { except }, ...(!everything && { after: look.until }) });
    const full = rows.length === limit;
    lateOfOthers = latenessOf(rows, now);
    if (!full) look.until = now - overlapOfLooksMs;

    const counts = new Map<string, number>();
    const beyond: number[] = [];
    const kept = rows.filter(({ project, monitor }) => {
      const count = (counts.get(project) ?? 0) + 1;
      counts.set(project, count);
      if (full && count > crowdOfBatch) crowd(project);
      if (count <= places.mayBegin(project)) return true;
      crowd(project);
      beyond.push(monitor);
      return false;
    });
    await claims.giveBack(beyond);
    return { kept: full ? interleave(kept, ({ project }) => project) : kept, full };
  };

  /** One round of the crowded projects. */
  const takeTurns = async (room: number, others: readonly DueMonitor[]): Promise<DueMonitor[]> => {
    // Checks that were claimed a moment ago have not begun yet.
    const mayBegin = (owner: string) =>
      places.mayBegin(owner) - others.filter(({ project }) => project === owner).length;
    const eligible = turns.filter(({ owner }) => mayBegin(owner) > 0);
    const granted = new Map(nextRound(eligible, roundCost).map((turn) => [turn.owner, turn]));
    turns = turns.map((turn) => granted.get(turn.owner) ?? turn);
    const taken: DueMonitor[] = [];
    const served = [...granted.values()].toSorted((a, b) => b.credit - a.credit).slice(0, servedInRound);
    for (const turn of served) {
      const limit = Math.min(startsOf(turn), mayBegin(turn.owner), room - taken.length);
      if (limit <= 0) continue;
      const rows = await claims.takeDue({ limit, of: { project: turn.owner } });
      if (rows.length < limit) uncrowd(turn.owner);
      else lateOfCrowded.set(turn.owner, Math.max(0, clock.now() - rows[0]!.next_at));
      taken.push(...rows);
    }
    return interleave(taken, ({ project }) => project);
  };

  return {
    async take() {
      const everything = turns.length === 0 || clock.monotonicMs() - look.fullAt >= fullLookAfterMs;
      if (everything) look.fullAt = clock.monotonicMs();
      if (everything && turns.length > 0) await reviewCrowded();
      const limit = Math.min(places.free(), maxClaims);
      if (limit === 0) {
        const oldest = await claims.oldestDue({ except: turns.map(({ owner }) => owner) });
        lateOfOthers = new Map(oldest === null ? [] : [['', Math.max(0, clock.now() - oldest)]]);
        return { claimed: [], more: false };
      }
      const others = await takeOthers(everything);
      const crowded = await takeTurns(limit - others.kept.length, others.kept);
      const more = others.full || (crowded.length > 0 && turns.length > 0);
      return { claimed: [...others.kept, ...crowded], more };
    },
    charge(project, cost) {
      const turn = turns.find(({ owner }) => owner === project);
      if (turn) turn.credit -= cost;
    },
    latenessMs: (project) => lateOfCrowded.get(project) ?? lateOfOthers.get(project) ?? 0,
    latenessOfOthers: () => Math.max(0, ...lateOfOthers.values()),
    crowded: () => new Map(turns.map(({ owner }) => [owner, lateOfCrowded.get(owner) ?? 0])),
  };
}

function latenessOf(rows: readonly DueMonitor[], now: number): Map<string, number> {
  const late = new Map<string, number>();
  for (const { project, next_at: due } of rows) late.set(project, Math.max(late.get(project) ?? 0, now - due));
  return late;
}
