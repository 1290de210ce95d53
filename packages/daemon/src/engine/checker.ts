import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { ActiveType, CheckOutcome } from '../checks/check.ts';
import { nextCheckAt, phaseOf } from '../core/schedule.ts';
import type { Deps } from '../deps.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../operations/record-outcome.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type Loop, pause, startLoop } from './loop.ts';

/** Most checks under way at once: sockets are finite. */
const maxInFlight = 5000;
/** Most claims taken at once, so that no write transaction is long. */
const maxClaims = 200;
/** Milliseconds for which a claim holds unless it is renewed: so long a monitor waits whose checker was killed. */
const lease = 15_000;
/** Milliseconds after which a result that the store refused is offered to it again. */
const recordAgainAfter = 500;
/** A checker that is late by so many milliseconds begins nothing beside what is running: it would only get later. */
const tooLate = 1000;
/** Longest wait until the schedule is looked at again, in milliseconds: how soon a new monitor is noticed. */
const patience = 500;
/** Starts are paced to this cost per millisecond, so that what answers people is not held up by bursts. */
const costPerMs = 3;
const cost = (fields: NormalMonitor) => (fields.type === 'http' && fields.url.startsWith('https') ? 10 : 1);

export type ActiveFields = Extract<NormalMonitor, { type: ActiveType }>;

export interface CheckerOptions {
  store: Store;
  region: number;
  observingSince: () => number;
  /** Runs one check; never throws. */
  runCheck: (fields: ActiveFields, signal: AbortSignal) => Promise<CheckOutcome>;
  /** Writes a finished check down; answers after the commit. */
  record: (check: FinishedCheck) => Promise<unknown>;
}

/**
 * The checks of one monitor that are under way. They are several where they take longer than its interval: the next one
 * does not wait, or an outage would be found the later the longer its checks hang.
 */
interface Line {
  /** How many have begun. */
  begun: number;
  /** The latest of these that is over, counted likewise. */
  over: number;
  /** Each with all that follows from it. None rejects. */
  underWay: Set<Promise<void>>;
}

export interface Checker extends Loop {
  /** By how many milliseconds the most overdue check of the last look was late. */
  lateness(): number;
  inFlight(): number;
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
export function startChecker(deps: Deps, options: CheckerOptions): Checker {
  const { clock, log } = deps;
  const { store, region } = options;
  const loadMonitor = prepare(store, (db, p: { monitor: number }) =>
    db.selectFrom('monitor').select(['generation', 'config', 'plan_paused']).where('seq', '=', p.monitor),
  );
  const lines = new Map<number, Line>();
  const asked = new Map<number, Promise<void>>();
  let inFlight = 0;
  const stopping = new AbortController();
  // The index of the schedule is over this: due, and held by nobody.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  let renewedAt = clock.monotonic();
  let late = 0;
  let ownFault: { at: number; message: string } | null = null;

  const loop = startLoop(deps, 'checker', async () => {
    if (lines.size > 0 && clock.monotonic() - renewedAt > lease / 3) {
      await renew();
      renewedAt = clock.monotonic();
    }

    const free = maxInFlight - inFlight;
    const now = clock.now();
    if (free <= 0) {
      late = Math.max(0, now - ((await firstFree())?.next_at ?? now));
      return patience;
    }
    const limit = Math.min(free, maxClaims);
    const claimed = await claim(now, limit);
    late = claimed.length > 0 ? Math.max(0, now - Math.min(...claimed.map((due) => due.next_at))) : 0;

    let budget = costPerMs;
    for (const [at, { monitor }] of claimed.entries()) {
      const [row] = await loadMonitor(store.db, { monitor });
      if (budget <= 0) {
        await pause(clock, 1, stopping.signal);
        budget = costPerMs;
      }
      if (stopping.signal.aborted) {
        const left = claimed.slice(at).map((due) => due.monitor);
        await giveBack(left);
        return patience;
      }
      if (!row) continue;
      const fields = JSON.parse(row.config) as ActiveFields;
      budget -= cost(fields);
      void begin(monitor, row.generation, fields);
    }

    if (claimed.length === limit) return 0;
    return nextDue();
  });

  /** Begins a check, and answers it once it is recorded. */
  const begin = (monitor: number, generation: number, fields: ActiveFields): Promise<FinishedCheck> => {
    const line = lines.get(monitor) ?? { begun: 0, over: 0, underWay: new Set() };
    lines.set(monitor, line);
    const place = ++line.begun;
    const begun = clock.now();
    const interval = fields.interval * 1000;
    const due = nextCheckAt(begun, interval, phaseOf(monitor, region, interval));
    const forgetNext = clock.after(due - begun, () => {
      if (place === line.begun) void beginNext(monitor, generation);
    });
    inFlight++;

    let found: FinishedCheck | undefined;
    const check = async () => {
      const outcome = await options.runCheck(fields, stopping.signal);
      forgetNext();
      inFlight--;
      const later = line.over > place ? 'over' : line.begun > place ? 'running' : 'none';
      line.over = Math.max(line.over, place);
      const observingSince = options.observingSince();
      found = { monitor, region, generation, fields, begun, at: clock.now(), outcome, later, observingSince };
      if (stopping.signal.aborted) return found;
      if (outcome.verdict === 'internal') ownFault = { at: clock.now(), message: outcome.error?.message ?? 'unknown' };
      await options.record(found);
      // The next one may be due before the loop, which did not count with it, would look.
      if (found.at - begun > interval - patience) loop.wake(0);
      return found;
    };
    const finished = check();
    const ended = finished.then(
      () => {},
      (error: unknown) => recordLater(found, monitor, error),
    );
    line.underWay.add(ended);
    void ended.then(() => {
      line.underWay.delete(ended);
      if (line.underWay.size === 0) lines.delete(monitor);
    });
    return finished;
  };

  /** Begins the check that is due while the one before it is running, unless the monitor is another by now. */
  const beginNext = async (monitor: number, generation: number): Promise<void> => {
    if (inFlight >= maxInFlight || late > tooLate) return;
    try {
      const [row] = await loadMonitor(store.db, { monitor });
      if (!row || row.generation !== generation || row.plan_paused === 1 || stopping.signal.aborted) return;
      const fields = JSON.parse(row.config) as ActiveFields;
      if (!fields.paused) void begin(monitor, generation, fields);
    } catch (error) {
      log.error({ monitor, err: error }, 'the next check could not be begun; it is due when the one before it is over');
    }
  };

  /** What was found outlives a store that takes no writes: it is written down when there is room again. */
  const recordLater = async (found: FinishedCheck | undefined, monitor: number, failure: unknown): Promise<void> => {
    let error = failure;
    while (error instanceof ServiceError && error.code === 'unavailable') {
      if (!found) break;
      await pause(clock, recordAgainAfter, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await options.record(found);
        return;
      } catch (again) {
        error = again;
      }
    }
    log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');
  };

  /** Reading first keeps the writer free while nothing is due. */
  const claim = async (now: number, limit: number) => {
    const due = await store.db
      .selectFrom('schedule')
      .select('monitor')
      .where('region', '=', region)
      .where(freeAt, '<=', now)
      .limit(1)
      .executeTakeFirst();
    if (!due) return [];
    return store.write((trx) => store.dialect.claimDue(trx, { region, now, leaseUntil: now + lease, limit }), {
      durable: false,
    });
  };

  const firstFree = () =>
    store.db
      .selectFrom('schedule')
      .select(['next_at', freeAt.as('at')])
      .where('region', '=', region)
      .orderBy(freeAt)
      .limit(1)
      .executeTakeFirst();

  const nextDue = async () => {
    const next = await firstFree();
    // Looking more often than every few milliseconds would only make the claims smaller.
    return next ? Math.min(patience, Math.max(20, next.at - clock.now())) : patience;
  };

  const giveBack = (monitors: readonly number[]) =>
    store.write((trx) => leases(trx, monitors).set({ lease_until: 0 }).execute(), { durable: false });

  /** A claim that was given back meanwhile stays so: nobody would check that monitor until the lease lapses. */
  const renew = () =>
    store.write(
      (trx) =>
        leases(trx, [...lines.keys()])
          .set({ lease_until: clock.now() + lease })
          .where('lease_until', '>', 0)
          .execute(),
      { durable: false },
    );

  const leases = (trx: Transaction<Tables>, monitors: readonly number[]) =>
    trx.updateTable('schedule').where('region', '=', region).where('monitor', 'in', monitors);

  /** Those who ask for one monitor get their checks one after another, each beside what the schedule has begun. */
  const checkNow = (monitor: number): Promise<FinishedCheck> => {
    const checked = (asked.get(monitor) ?? Promise.resolve()).then(() => checkAsked(monitor));
    const answered = checked
      .then(
        () => {},
        // Whoever asked is told.
        () => {},
      )
      .then(() => {
        if (asked.get(monitor) === answered) asked.delete(monitor);
      });
    asked.set(monitor, answered);
    return checked;
  };

  const checkAsked = async (monitor: number): Promise<FinishedCheck> => {
    for (;;) {
      if (stopping.signal.aborted) throw new ServiceError('unavailable', 'The daemon is stopping.', { retryAfter: 5 });
      const [row] = await loadMonitor(store.db, { monitor });
      if (!row) throw notFound('monitor');
      const fields = JSON.parse(row.config) as NormalMonitor;
      if (fields.type === 'heartbeat')
        throw new ServiceError('conflict', 'A heartbeat is not checked: it is judged by its pings.');
      if (fields.paused) throw new ServiceError('conflict', 'The monitor is paused: resume it first.');
      if (row.plan_paused === 1) throw new ServiceError('conflict', 'The monitor is paused: it is beyond the plan.');
      const now = clock.now();
      const taken = await store.write(
        (trx) =>
          leases(trx, [monitor])
            .set({ lease_until: now + lease })
            .where('lease_until', '<', now)
            .returning('monitor')
            .executeTakeFirst(),
        { durable: false },
      );
      if (taken || (await isHeldHere(monitor))) return begin(monitor, row.generation, fields);
      await pause(clock, 50);
    }
  };

  /** Whether a claim that can't be taken is this checker's, not another's. Throws `conflict` where nobody's here checks the monitor. */
  const isHeldHere = async (monitor: number): Promise<boolean> => {
    const scheduled = await store.db
      .selectFrom('schedule')
      .select('monitor')
      .where('monitor', '=', monitor)
      .where('region', '=', region)
      .executeTakeFirst();
    if (!scheduled) throw new ServiceError('conflict', "This daemon's region does not check the monitor.");
    return lines.has(monitor);
  };

  return {
    ...loop,
    checkNow,
    async stop() {
      const held = [...lines.keys()];
      stopping.abort();
      await loop.stop();
      if (held.length > 0) await giveBack(held);
      await Promise.all([...lines.values()].flatMap(({ underWay }) => [...underWay]));
    },
    lateness: () => late,
    ownFault: () => (ownFault && clock.now() - ownFault.at < 60_000 ? ownFault.message : null),
    inFlight: () => inFlight,
  };
}
