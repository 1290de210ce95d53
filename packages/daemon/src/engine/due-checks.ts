import type { NormalMonitor } from '@uptime/sdk/contract';
import type { ActiveFields } from '../checks/check.ts';
import { overlapsToBegin } from '../core/overlaps-to-begin.ts';
import type { SteadyClock } from '../deps.ts';
import type { CheckPlaces } from './check-places.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Claims } from './claims.ts';
import { type FairClaims, maxClaims } from './fair-claims.ts';
import type { LoadMonitor } from './load-monitor.ts';
import { wait } from '../wait.ts';
import type { RefusedResults } from './refused-results.ts';
import { expectsCertificate } from '../stored-monitors/monitor-fields.ts';

/** Starts are paced to this cost per millisecond, so that bursts do not delay requests. */
const costPerMs = 3;
/** A TLS handshake costs more than the rest of a start. */
const cost = (fields: NormalMonitor) => (expectsCertificate(fields) ? 10 : 1);

export interface DueCheckOptions {
  clock: SteadyClock;
  claims: Pick<Claims, 'giveBack'>;
  fair: FairClaims;
  places: CheckPlaces;
  runner: CheckRunner;
  refused: Pick<RefusedResults, 'count'>;
  loadMonitor: LoadMonitor;
  /** The fraction of the pace that it may use now, from 0 to 1. */
  capacity: () => number;
  stopping: AbortSignal;
}

/**
 * Begins what is due now: claimed checks, then checks that overlap with a running one of their monitor. Resolves with
 * whether more can be claimed at once.
 */
export function createDueChecks(options: DueCheckOptions): () => Promise<boolean> {
  const { clock, claims, fair, places, runner, refused, stopping } = options;

  const overlaps = (most: number): { monitor: number; next_at: number }[] => {
    // Results that cannot be recorded would only pile up.
    if (most <= 0 || refused.count() > 0) return [];
    const now = clock.now();
    const chosen = overlapsToBegin(runner.overlapsDue(), {
      most,
      mayOverlap: (project) => places.mayOverlap(project),
      latenessMs: (project) => fair.latenessMs(project),
    });
    return chosen.map(({ monitor, lateMs }) => ({ monitor, next_at: Math.round(now - lateMs) }));
  };

  return async () => {
    const { claimed, more } = await fair.take();
    const overlapping = overlaps(Math.min(places.free(), maxClaims) - claimed.length);
    let budget = costPerMs;
    const stepped = clock.steppedMs();
    for (const [at, { monitor, next_at: due }] of [...claimed, ...overlapping].entries()) {
      const row = await options.loadMonitor(monitor);
      if (budget <= 0) {
        await wait(clock, 1 / options.capacity(), stopping);
        budget = costPerMs;
      }
      if (stopping.aborted) {
        await claims.giveBack(claimed.slice(at).map((left) => left.monitor));
        return false;
      }
      if (!row) continue;
      const { generation, project_id: project, unreadable } = row;
      // The schedule has no heartbeats.
      const fields = row.fields as ActiveFields;
      const paused = fields.paused || row.plan_paused !== 0;
      if (at >= claimed.length && !runner.isOverlapDue(monitor, { generation, paused })) continue;
      budget -= cost(fields);
      fair.charge(project, cost(fields));
      // The timeline may have stepped during a pause.
      void runner.begin({ monitor, generation, fields, unreadable, project, due: due + clock.steppedMs() - stepped });
    }
    return more;
  };
}
