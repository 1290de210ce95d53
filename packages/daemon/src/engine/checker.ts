import type { NormalMonitor } from '@uptime/sdk/contract';
import type { ActiveType, CheckOutcome } from '../checks/check.ts';
import type { Deps } from '../deps.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../operations/record-outcome.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import { type Loop, pause, startLoop } from './loop.ts';

/** Most checks under way at once: sockets are finite. */
const maxInFlight = 5000;
/** Most claims taken at once, so that no write transaction is long. */
const maxClaims = 200;
/** Milliseconds for which a claim holds unless it is renewed. */
const lease = 60_000;
/** Milliseconds after which a result that the store refused is offered to it again. */
const recordAgainAfter = 500;
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
 * 3. Start each at the pace, with the fields it has now.
 * 4. When one is over, record it, later if the store takes no writes: that sets its next time and gives the claim back.
 * 5. Come back when the next one is due.
 */
export function startChecker(deps: Deps, options: CheckerOptions): Checker {
  const { clock, log } = deps;
  const { store, region } = options;
  const loadMonitor = prepare(store, (db, p: { monitor: number }) =>
    db.selectFrom('monitor').select(['generation', 'config', 'plan_paused']).where('seq', '=', p.monitor),
  );
  const running = new Map<number, Promise<void>>();
  const stopping = new AbortController();
  // The index of the schedule is over this: due, and held by nobody.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  let renewedAt = clock.monotonic();
  let late = 0;
  let ownFault: { at: number; message: string } | null = null;

  const loop = startLoop(deps, 'checker', async () => {
    if (running.size > 0 && clock.monotonic() - renewedAt > lease / 3) {
      await renew();
      renewedAt = clock.monotonic();
    }

    const free = maxInFlight - running.size;
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
        await setLease(left, 0);
        return patience;
      }
      if (!row) continue;
      const fields = JSON.parse(row.config) as ActiveFields;
      budget -= cost(fields);
      const begin = () => {
        if (!stopping.signal.aborted) void start(monitor, row.generation, fields);
      };
      // The one before is recorded, and may still be on its way to the disk.
      const before = running.get(monitor);
      if (before) void before.then(begin);
      else begin();
    }

    if (claimed.length === limit) return 0;
    return nextDue();
  });

  const start = (monitor: number, generation: number, fields: ActiveFields): Promise<FinishedCheck> => {
    let found: FinishedCheck | undefined;
    const check = async () => {
      const begun = clock.now();
      const outcome = await options.runCheck(fields, stopping.signal);
      found = {
        monitor,
        region,
        generation,
        fields,
        begun,
        at: clock.now(),
        outcome,
        observingSince: options.observingSince(),
      };
      if (stopping.signal.aborted) return found;
      if (outcome.verdict === 'internal') ownFault = { at: clock.now(), message: outcome.error?.message ?? 'unknown' };
      await options.record(found);
      // The next one may be due before the loop, which did not count with it, would look.
      if (found.at - begun > fields.interval * 1000 - patience) loop.wake(0);
      return found;
    };
    const finished = check();
    const ended = finished.then(
      () => {},
      (error: unknown) => recordLater(found, monitor, error),
    );
    running.set(
      monitor,
      ended.then(() => void running.delete(monitor)),
    );
    return finished;
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

  const setLease = (monitors: readonly number[], until: number) =>
    store.write(
      async (trx) => {
        for (const monitor of monitors) {
          await trx
            .updateTable('schedule')
            .set({ lease_until: until })
            .where('monitor', '=', monitor)
            .where('region', '=', region)
            .execute();
        }
      },
      { durable: false },
    );
  /** A claim that was given back meanwhile stays so: nobody would check that monitor until the lease lapses. */
  const renew = () => {
    const held = [...running.keys()];
    return store.write(
      async (trx) => {
        for (const monitor of held) {
          await trx
            .updateTable('schedule')
            .set({ lease_until: clock.now() + lease })
            .where('monitor', '=', monitor)
            .where('region', '=', region)
            .where('lease_until', '>', 0)
            .execute();
        }
      },
      { durable: false },
    );
  };

  /** Takes the claim of one monitor whenever it is due, waiting for a check under way. */
  const checkNow = async (monitor: number) => {
    for (;;) {
      await running.get(monitor);
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
          trx
            .updateTable('schedule')
            .set({ lease_until: now + lease })
            .where('monitor', '=', monitor)
            .where('region', '=', region)
            .where('lease_until', '<', now)
            .returning('monitor')
            .executeTakeFirst(),
        { durable: false },
      );
      if (taken) return start(monitor, row.generation, fields);
      if (!running.has(monitor)) await refuseForeign(monitor);
    }
  };

  /** The claim is not ours to take: nobody's here, or another checker's. */
  const refuseForeign = async (monitor: number) => {
    const mine = await store.db
      .selectFrom('schedule')
      .select('monitor')
      .where('monitor', '=', monitor)
      .where('region', '=', region)
      .executeTakeFirst();
    if (!mine) throw new ServiceError('conflict', "This daemon's region does not check the monitor.");
    await pause(clock, 50);
  };

  return {
    ...loop,
    checkNow,
    async stop() {
      const held = [...running.keys()];
      stopping.abort();
      await loop.stop();
      if (held.length > 0) await setLease(held, 0);
      await Promise.all(running.values());
    },
    lateness: () => late,
    ownFault: () => (ownFault && clock.now() - ownFault.at < 60_000 ? ownFault.message : null),
    inFlight: () => running.size,
  };
}
