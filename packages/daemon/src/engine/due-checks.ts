import type { NormalMonitor } from '@uptime/sdk/contract';
import type { ActiveFields } from '../checks/check.ts';
import { overlapsToBegin } from '../core/overlaps-to-begin.ts';
import type { SteadyClock } from '../deps.ts';
import { expectsCertificate } from '../stored-monitors/monitor-fields.ts';
import type { CheckSlots } from './check-slots.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Claims, HeldLease, Lease } from './claims.ts';
import { createClaimsAhead } from './claims-ahead.ts';
import { type FairClaims, maxClaims } from './fair-claims.ts';
import type { LoadedMonitor, LoadMonitors } from './load-monitor.ts';
import type { RefusedResults } from './refused-results.ts';
import { createStartPacer } from './start-pacer.ts';

const isPaused = ({ fields, plan_paused: byPlan }: LoadedMonitor) => fields.paused || byPlan !== 0;
/**
 * The cost of beginning a check, for the pace of starts (engine/start-pacer.ts). A TLS handshake costs more than all
 * other parts of a check together.
 */
const cost = (fields: NormalMonitor) => (expectsCertificate(fields) ? 10 : 1);
/** When only this many claimed checks still have to begin, the next checks are claimed. */
const claimAheadFrom = maxClaims / 2;
/**
 * Number of monitors that one statement loads. The number is small, so that even the last check of a group begins soon
 * after its monitor was loaded.
 */
const maxLoadedAtOnce = 50;

export interface DueCheckOptions {
  clock: SteadyClock;
  claims: Pick<Claims, 'giveBack' | 'renew'>;
  /** Renews the leases of running checks if that is due. */
  renewLeases: () => Promise<void>;
  fair: FairClaims;
  slots: CheckSlots;
  runner: CheckRunner;
  refused: Pick<RefusedResults, 'count'>;
  loadMonitors: LoadMonitors;
  /** The fraction of the pace that may be used now, from 0 to 1. */
  capacity: () => number;
  stopping: AbortSignal;
}

/** A check that may begin. */
interface DueCheck {
  monitor: number;
  next_at: number;
  /**
   * The lease that was taken for the check. It is null for an overlapping check, which begins while another check of
   * its monitor still runs.
   */
  lease: Lease | null;
}

export interface DueChecks {
  /**
   * Begins the checks that are due now: claimed checks, and then checks that overlap with a running check of their
   * monitor. Resolves with the number of due checks, and with whether more checks can be claimed at once.
   */
  begin(): Promise<{ due: number; more: boolean }>;
  /** Gives back the claims of the checks that have not begun. Call it after the checker has stopped. */
  giveBack(): Promise<void>;
}

export function createDueChecks(options: DueCheckOptions): DueChecks {
  const { clock, claims, fair, slots, runner, stopping } = options;
  const pacer = createStartPacer(clock, options);
  const ahead = createClaimsAhead(options);
  const overlaps = createOverlapChoice(options);

  /**
   * Begins the checks in order. Calls `done` just before each check begins or is skipped. Returns early if the checker
   * stops.
   */
  const beginAll = async (checks: readonly DueCheck[], done: () => void) => {
    const steppedBeforeMs = clock.steppedMs();
    const sureLeaseOf = createSureLeases(claims, checks);
    for await (const { some, loaded } of inPieces(checks, options.loadMonitors)) {
      await options.renewLeases();
      for (const { monitor, next_at: due, lease: taken } of some) {
        const row = loaded.get(monitor);
        await pacer.ready();
        if (stopping.aborted) return;
        const overlaps = taken === null;
        const lease = await sureLeaseOf(monitor, taken);
        done();
        // If the lease is lost, another process checks this monitor.
        if (!row || (lease === null && !overlaps)) continue;
        const { generation, project_id: project, unreadable } = row;
        // The schedule contains no heartbeats, so this is a monitor that is checked.
        const fields = row.fields as ActiveFields;
        // Skips a monitor that was edited after it was loaded, if a check of its new version has begun already.
        if (!overlaps && runner.isOutdated(monitor, generation)) {
          if (lease) await claims.giveBack([{ monitor, lease }]);
          continue;
        }
        if (overlaps && !runner.isOverlapDue(monitor, { generation, paused: isPaused(row) })) continue;
        pacer.begun(cost(fields));
        fair.charge(project, cost(fields));
        // The clock may have stepped since this function was called.
        const renewedDue = due + clock.steppedMs() - steppedBeforeMs;
        void runner.begin({ monitor, generation, fields, unreadable, project, due: renewedDue, lease });
      }
    }
  };

  return {
    giveBack: () => ahead.giveBack(),
    async begin() {
      pacer.turned();
      const { claimed, more } = await ahead.take();
      const checks = [...claimed, ...overlaps(Math.min(slots.free(), maxClaims) - claimed.length)];
      let begun = 0;
      const left = () => claimed.slice(begun);
      const done = () => {
        // `begun` does not yet count the check that is about to begin, so `left` returns that check too.
        if (more && begun >= claimed.length - claimAheadFrom) ahead.claim(left);
        begun++;
      };
      try {
        await beginAll(checks, done);
      } catch (error) {
        // The leases of checks that were claimed ahead could lapse before the loop runs again.
        await ahead.giveBack();
        throw error;
      } finally {
        await claims.giveBack(left());
      }
      return { due: checks.length, more: more && !stopping.aborted };
    },
  };
}

/** Creates the function that chooses the overlapping checks that may begin now, up to a given number. */
function createOverlapChoice({
  clock,
  fair,
  slots,
  runner,
  refused,
}: DueCheckOptions): (maxChecks: number) => DueCheck[] {
  return (maxChecks) => {
    // While the store refuses results, more checks would only add more refused results.
    if (maxChecks <= 0 || refused.count() > 0) return [];
    const chosen = overlapsToBegin(runner.overlapsDue(), {
      maxChecks,
      mayOverlap: (project) => slots.mayOverlap(project),
      latenessMs: (project) => fair.latenessMs(project),
    });
    return chosen.map(({ monitor, lateMs }) => ({
      monitor,
      next_at: Math.round(clock.now() - lateMs),
      lease: null,
    }));
  };
}

/**
 * Creates the function that returns the lease of a claimed check, or null if the lease is lost. If the process or its
 * database was suspended, the lease is no longer sure. Then the function renews the leases of all given checks.
 */
function createSureLeases(claims: Pick<Claims, 'renew'>, checks: readonly DueCheck[]) {
  const taken = checks.flatMap(({ monitor, lease }): HeldLease[] => (lease ? [{ monitor, lease }] : []));
  let leases: ReadonlyMap<number, Lease> = new Map(taken.map(({ monitor, lease }) => [monitor, lease]));
  return async (monitor: number, lease: Lease | null): Promise<Lease | null> => {
    if (lease === null) return null;
    if (leases.get(monitor)?.isSure() === false) leases = await claims.renew(leases);
    return leases.get(monitor) ?? null;
  };
}

/** Loads the monitors of the checks in groups. While the checks of one group begin, the next group is loaded. */
async function* inPieces(checks: readonly DueCheck[], loadMonitors: LoadMonitors) {
  const load = (at: number) => {
    const some = checks.slice(at, at + maxLoadedAtOnce);
    // `loading` must not reject: if the checker stops, nothing awaits it.
    return { some, loading: Promise.allSettled([loadMonitors(some.map(({ monitor }) => monitor))]) };
  };
  let next = load(0);
  for (let at = maxLoadedAtOnce; next.some.length > 0; at += maxLoadedAtOnce) {
    const { some, loading } = next;
    const [loaded] = await loading;
    if (loaded.status === 'rejected') throw loaded.reason;
    next = load(at);
    yield { some, loaded: loaded.value };
  }
}
