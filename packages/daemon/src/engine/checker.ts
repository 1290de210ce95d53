import type { NormalMonitor } from '@uptime/sdk/contract';
import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { roundOf } from '../core/schedule.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../operations/record-outcome.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import { createAskedChecks } from './asked-checks.ts';
import { createClaims, renewAfter } from './claims.ts';
import { type Loop, pause, startLoop } from './loop.ts';
import { findUnwanted } from './unwanted-checks.ts';

/** Most checks under way at once: sockets are finite. */
const maxInFlight = 5000;
/** Of these, most that are begun beside another of their monitor: however many hang, the rest find places. */
const maxBeside = 2500;
/** Most claims taken at once, so that no write transaction is long. */
const maxClaims = 200;
/** Milliseconds after which a result that the store refused is offered to it again. */
const recordAgainAfter = 500;
/** A checker that is late by so many milliseconds begins nothing beside what is running: it would only get later. */
const tooLate = 1000;
/** Longest wait until the schedule is looked at again, in milliseconds: how soon a new monitor is noticed. */
const patience = 500;
/** Milliseconds between two looks for checks that nobody wants any more. */
const unwantedAfter = 250;
/** Starts are paced to this cost per millisecond, so that what answers people is not held up by bursts. */
const costPerMs = 3;
const cost = (fields: NormalMonitor) => (fields.type === 'http' && fields.url.startsWith('https') ? 10 : 1);

export interface CheckerOptions {
  store: Store;
  region: number;
  observingSince: () => number;
  /** Runs one check; never throws. */
  runCheck: (fields: ActiveFields, signal: AbortSignal, project: string) => Promise<CheckOutcome>;
  /** Writes a finished check down; answers after the commit. */
  record: (check: FinishedCheck) => Promise<unknown>;
}

/**
 * The checks of one monitor that are under way. They are several where they take longer than its interval: the next one
 * does not wait, or an outage would be found the later the longer its checks hang. Checks that somebody asked for run
 * beside them, and are not counted among them.
 */
interface Line {
  /** How many have begun. */
  begun: number;
  /** The latest of these that reached a verdict, counted likewise: what those before it find tells nothing new. */
  answered: number;
  /** The latest that had begun when a check was asked for that passed, and is over. */
  overtaken: number;
  /** What the monitor was when the latest began. */
  generation: number;
  /** Ends those that are under way: when the monitor is another, or the checker stops. */
  abandon: AbortController;
  /** Each with all that follows from it. None rejects. */
  underWay: Set<Promise<void>>;
  /** When the next is due, on the monotonic clock; null once the latest is over. */
  nextAt: number | null;
}

/** A check that is to begin. */
interface Beginning {
  monitor: number;
  generation: number;
  fields: ActiveFields;
  /** Whose budgets it is charged to. */
  project: string;
  /** When it was due, in epoch milliseconds; null where somebody asked for it. */
  due: number | null;
  /** Where it was asked for and took the claim: when the schedule has the next, in epoch milliseconds. */
  nextAt?: number | null;
}

export interface Checker extends Loop {
  /** By how many milliseconds the most overdue check of the last look was late. */
  lateness(): number;
  inFlight(): number;
  /** For how many milliseconds results have been waiting that the store refused. */
  refusedFor(): number;
  /** Why a check of the last minute could not be carried out, a fault of this process or its surroundings; or null. */
  ownFault(): string | null;
  /** Checks a monitor at once, due or not, and records it. Throws `conflict` for a heartbeat or a paused one. */
  checkNow(monitor: number): Promise<FinishedCheck>;
}

/**
 * Checks what is due in this region:
 * 1. Renew the claims of checks that take long.
 * 2. Claim what is due, as far as there are free places.
 * 3. Begin each at the pace, with the fields it has now.
 * 4. While it is still running when the next one is due, begin that beside it.
 * 5. When one is over, record it, later if the store takes no writes: the latest sets the next time and gives the claim back.
 * 6. Come back when the next one is due.
 */
export function startChecker(deps: Deps & { clock: SteadyClock }, options: CheckerOptions): Checker {
  const { clock, log } = deps;
  const { store, region } = options;
  const claims = createClaims(store, clock, region);
  const select = prepare(store, (db, p: { monitor: number }) =>
    db.selectFrom('monitor').select(['generation', 'config', 'plan_paused', 'project_id']).where('seq', '=', p.monitor),
  );
  const loadMonitor = async (monitor: number) => (await select(store.db, { monitor }))[0];
  const lines = new Map<number, Line>();
  let inFlight = 0;
  const stopping = new AbortController();
  let renewedAt = clock.monotonic();
  let lookedAt = clock.monotonic();
  /** The lines that the last look found, by what their monitors were: what is among them again takes long. */
  let seen = new Map<Line, number>();
  let late = 0;
  let ownFault: { at: number; message: string } | null = null;
  /** Results that the store refused, and since when there are any, on the monotonic clock. */
  const refused = { count: 0, since: 0 };

  const loop = startLoop(deps, 'checker', async () => {
    if (lines.size > 0 && clock.monotonic() - renewedAt > renewAfter) {
      await claims.renew([...lines.keys()]);
      renewedAt = clock.monotonic();
    }

    if (clock.monotonic() - lookedAt >= unwantedAfter) {
      await abandonUnwanted();
      lookedAt = clock.monotonic();
    }

    const free = maxInFlight - inFlight;
    const now = clock.now();
    if (free <= 0) {
      late = Math.max(0, now - ((await claims.firstFree())?.next_at ?? now));
      return patience;
    }
    const limit = Math.min(free, maxClaims);
    const claimed = await claims.takeDue(limit);
    late = claimed.length > 0 ? Math.max(0, now - Math.min(...claimed.map((due) => due.next_at))) : 0;

    const placesBeside = Math.min(limit - claimed.length, maxBeside - (inFlight - lines.size));
    // What could not be written down afterwards would only pile up.
    const beside = late > tooLate || refused.count > 0 ? [] : dueBeside().slice(0, Math.max(0, placesBeside));

    let budget = costPerMs;
    const stepped = clock.stepped();
    for (const [at, { monitor, next_at: due }] of [...claimed, ...beside].entries()) {
      const row = await loadMonitor(monitor);
      if (budget <= 0) {
        await pause(clock, 1, stopping.signal);
        budget = costPerMs;
      }
      if (stopping.signal.aborted) {
        const left = claimed.slice(at).map((due) => due.monitor);
        await claims.giveBack(left);
        return patience;
      }
      if (!row) continue;
      const fields = JSON.parse(row.config) as ActiveFields;
      if (at >= claimed.length && !isStillDue(monitor, row, fields)) continue;
      budget -= cost(fields);
      const { generation, project_id: project } = row;
      // The timeline may have stepped during a pause.
      void begin({ monitor, generation, fields, project, due: due + clock.stepped() - stepped });
    }

    if (claimed.length === limit) return 0;
    return nextDue();
  });

  /** Ends the checks that hang on a target nobody asks about any more: a pause, a delete and an edit free it at once. */
  const abandonUnwanted = async () => {
    const long = [...lines].filter(([, line]) => seen.get(line) === line.generation);
    seen = new Map([...lines.values()].map((line) => [line, line.generation]));
    if (long.length === 0) return;
    const checked = new Map(long.map(([monitor, { generation }]) => [monitor, generation]));
    for (const monitor of await findUnwanted(store.db, region, checked)) {
      const line = lines.get(monitor);
      if (!line || line.generation !== checked.get(monitor)) continue;
      line.abandon.abort();
      line.abandon = new AbortController();
      line.nextAt = null;
    }
  };

  /** Begins a check, and answers it once it is recorded. */
  const begin = ({ monitor, generation, fields, project, due, nextAt = null }: Beginning): Promise<FinishedCheck> => {
    const line = lines.get(monitor) ?? newLine(generation);
    lines.set(monitor, line);
    if (line.generation !== generation) {
      // It was edited: what the old one is worth, nobody asks any more.
      line.abandon.abort();
      line.abandon = new AbortController();
      line.generation = generation;
    }
    const { signal } = line.abandon;
    const asked = due === null;
    const place = asked ? line.begun : ++line.begun;
    const interval = fields.interval * 1000;
    const [now, stepped] = [clock.now(), clock.stepped()];
    const begun = asked ? now : roundOf({ due, begun: now }, interval);
    // By a clock that does not step while it runs.
    const inMonotonic = (at: number) => clock.monotonic() + at - now;
    if (!asked) line.nextAt = inMonotonic(begun + interval);
    else if (nextAt !== null) {
      line.nextAt = inMonotonic(nextAt);
      loop.wake(Math.max(0, nextAt - now));
    }
    inFlight++;

    /** What later checks, begun or over, make of it by now. */
    const standing = (): Pick<FinishedCheck, 'later' | 'overtaken'> => {
      if (asked) {
        const holdsClaim = nextAt !== null && line.begun === place;
        return { later: holdsClaim ? 'none' : 'running', overtaken: line.answered > place };
      }
      const later = line.answered > place ? 'over' : line.begun > place ? 'running' : 'none';
      return { later, overtaken: line.overtaken >= place };
    };
    let found: FinishedCheck | undefined;
    const check = async () => {
      const outcome = await options.runCheck(fields, signal, project);
      inFlight--;
      if (line.begun === place && (!asked || nextAt !== null)) line.nextAt = null;
      found = {
        monitor,
        region,
        generation,
        fields,
        asked,
        outcome,
        ...standing(),
        begun: begun + clock.stepped() - stepped,
        at: clock.now(),
        observingSince: options.observingSince(),
      };
      if (signal.aborted) return found;
      if (outcome.verdict === 'internal') {
        ownFault = { at: clock.monotonic(), message: outcome.error?.message ?? 'unknown' };
      } else if (!asked) line.answered = Math.max(line.answered, place);
      else if (outcome.verdict === 'up') line.overtaken = Math.max(line.overtaken, place);
      await options.record(found);
      // The next one may be due before the loop, which did not count with it, would look.
      if (found.at - found.begun > interval - patience) loop.wake(0);
      return found;
    };
    const finished = check();
    const ended = finished.then(
      () => {},
      (error: unknown) => recordLater(() => found && { ...found, ...standing() }, monitor, error),
    );
    line.underWay.add(ended);
    void ended.then(() => {
      line.underWay.delete(ended);
      if (line.underWay.size === 0) lines.delete(monitor);
    });
    return finished;
  };

  /** Monitors of which a check is still running while the next is due. */
  const dueBeside = () => {
    const [now, mono] = [clock.now(), clock.monotonic()];
    return [...lines].flatMap(([monitor, { nextAt }]) =>
      nextAt !== null && nextAt <= mono ? [{ monitor, next_at: Math.round(now + nextAt - mono) }] : [],
    );
  };

  /** Not once its check is over, nor when the monitor is another by now: then it has been claimed, or nobody is to check it. */
  const isStillDue = (
    monitor: number,
    { generation, plan_paused: planPaused }: { generation: number; plan_paused: number },
    { paused }: ActiveFields,
  ): boolean => {
    const line = lines.get(monitor);
    if (!line || line.nextAt === null || line.nextAt > clock.monotonic()) return false;
    if (line.generation === generation && !paused && planPaused === 0) return true;
    line.nextAt = null;
    return false;
  };

  /**
   * What was found outlives a store that takes no writes: it is written down when there is room again. A later check may
   * be over by then.
   */
  const recordLater = async (
    whatWasFound: () => FinishedCheck | undefined,
    monitor: number,
    failure: unknown,
  ): Promise<void> => {
    let error = failure;
    if (refused.count === 0) refused.since = clock.monotonic();
    refused.count++;
    try {
      while (error instanceof ServiceError && error.code === 'unavailable') {
        await pause(clock, recordAgainAfter, stopping.signal);
        const found = whatWasFound();
        if (stopping.signal.aborted || !found) return;
        try {
          await options.record(found);
          return;
        } catch (again) {
          error = again;
        }
      }
    } finally {
      refused.count--;
    }
    log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');
  };

  const nextDue = async () => {
    const free = await claims.firstFree();
    const mono = clock.monotonic();
    const beside = [...lines.values()].map(({ nextAt }) => (nextAt ?? Infinity) - mono);
    const next = Math.min((free?.at ?? Infinity) - clock.now(), ...beside);
    // Looking more often than every few milliseconds would only make the claims smaller.
    return Math.min(patience, Math.max(20, next));
  };

  const checkNow = createAskedChecks({
    clock,
    claims,
    stopping: stopping.signal,
    loadMonitor,
    isUnderWay: (monitor) => lines.has(monitor),
    begin: (check) => begin({ ...check, due: null }),
  });

  return {
    ...loop,
    checkNow,
    async stop() {
      const held = [...lines.keys()];
      stopping.abort();
      for (const { abandon } of lines.values()) abandon.abort();
      await loop.stop();
      try {
        await claims.giveBack(held);
      } catch (error) {
        log.warn({ err: error }, 'claims could not be given back; they lapse');
      }
      await Promise.all([...lines.values()].flatMap(({ underWay }) => [...underWay]));
    },
    lateness: () => late,
    ownFault: () => (ownFault && clock.monotonic() - ownFault.at < 60_000 ? ownFault.message : null),
    inFlight: () => inFlight,
    refusedFor: () => (refused.count === 0 ? 0 : clock.monotonic() - refused.since),
  };
}

const newLine = (generation: number): Line => ({
  begun: 0,
  answered: 0,
  overtaken: 0,
  generation,
  abandon: new AbortController(),
  underWay: new Set(),
  nextAt: null,
});
