import { interleave, nextRound, type StartTurn, startsOf } from '../core/start-turns.ts';
import type { SteadyClock } from '../deps.ts';
import type { DueMonitor } from '../store/dialect.ts';
import type { CheckPlaces } from './check-places.ts';
import type { Claims } from './claims.ts';

/** Most claims taken at once, so that no write transaction is long. */
export const maxClaims = 200;
/** A project with more than this in a full batch is crowded: it takes turns from then on. */
const crowdOfBatch = 16;
/** What the crowded projects start in one round, by cost: some 20 ms of starting. Others are looked for after each. */
const roundCost = 60;
/** Crowded projects served in one round. Each costs a query. */
const servedInRound = 10;
/** Crowded projects of which one look finds out whether they still are. */
const reviewedAtOnce = 50;
/** How often everything due is looked at again while projects are crowded. In between, only what became due since. */
const fullLookAfterMs = 500;
/** What becomes due may be committed a little after its time. */
const overlapOfLooksMs = 200;

/** The schedule's due checks, claimed in fair shares by project. */
export interface FairClaims {
  /** Claims what may begin now. `more`: there is more to claim at once. */
  take(): Promise<{ claimed: DueMonitor[]; more: boolean }>;
  /** A check of the project was begun, which costs so much. */
  charge(project: string, cost: number): void;
  /** By how many milliseconds the project's most overdue check of the last look was late. */
  lateness(project: string): number;
  /** The same over all projects that keep within their shares. */
  latenessOfOthers(): number;
  /** Projects that have more due than their share, and by how many milliseconds each is late. */
  crowded(): ReadonlyMap<string, number>;
}

/**
 * Claims the checks of most projects as they come due, the longest due first. A project that has more due than fits is
 * crowded: it takes turns with others like it, by cost, after everyone else. It stays so until its backlog is gone.
 */
export function createFairClaims(options: { clock: SteadyClock; claims: Claims; places: CheckPlaces }): FairClaims {
  const { clock, claims, places } = options;
  let turns: StartTurn[] = [];
  const lateOfCrowded = new Map<string, number>();
  let lateOfOthers = new Map<string, number>();
  /** When everything was looked at, on the monotonic clock, and up to when the schedule was cleared of others' checks. */
  const look = { fullAt: -Infinity, until: 0 };

  const crowd = (project: string) => {
    if (!turns.some(({ owner }) => owner === project)) turns.push({ owner: project, credit: 0 });
  };
  const uncrowd = (project: string) => {
    turns = turns.filter(({ owner }) => owner !== project);
    lateOfCrowded.delete(project);
  };

  /** How late the crowded are; those whose backlog is gone are crowded no more. */
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

  /** One round of the crowded. */
  const takeTurns = async (room: number, others: readonly DueMonitor[]): Promise<DueMonitor[]> => {
    // What was claimed a moment ago has begun none of its checks.
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
      const everything = turns.length === 0 || clock.monotonic() - look.fullAt >= fullLookAfterMs;
      if (everything) look.fullAt = clock.monotonic();
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
    lateness: (project) => lateOfCrowded.get(project) ?? lateOfOthers.get(project) ?? 0,
    latenessOfOthers: () => Math.max(0, ...lateOfOthers.values()),
    crowded: () => new Map(turns.map(({ owner }) => [owner, lateOfCrowded.get(owner) ?? 0])),
  };
}

function latenessOf(rows: readonly DueMonitor[], now: number): Map<string, number> {
  const late = new Map<string, number>();
  for (const { project, next_at: due } of rows) late.set(project, Math.max(late.get(project) ?? 0, now - due));
  return late;
}
