import type { MessageRules } from '../alerting/message-rules.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { Absences } from '../core/absence.ts';
import type { Role } from '../core/roles.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { ReadRegistration } from '../expiry/registration.ts';
import type { OpenSlots } from '../recording/open-slots.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { Store } from '../store/store.ts';
import { startClosings } from './closings.ts';
import { startDeliveries } from './deliveries.ts';
import { startExpiries } from './expiries.ts';
import { startFolds } from './folds.ts';
import { type HeartbeatsOptions, startHeartbeats } from './heartbeats.ts';
import { watched, type WatchedLoop, watchedFailing, watchedSlow } from './hung-loops.ts';
import { startMaintenance } from './maintenance.ts';
import { startPartitions } from './partitions.ts';
import { startReminders } from './reminders.ts';
import { startReviews } from './reviews.ts';
import { startRetention } from './retention.ts';
import { startRollups } from './rollups.ts';
import { startSilentRegions } from './silent-regions.ts';

export interface RoleLoopsOptions {
  store: Store;
  roles: readonly Role[];
  heartbeats: Omit<HeartbeatsOptions, 'store'>;
  notifier: Notifier;
  messageRules?: MessageRules | undefined;
  /** Maximum number of deliveries at once. */
  maxDeliveries?: number | undefined;
  readRegistration: ReadRegistration;
  rawRetentionDays: number;
  projectMetrics?: number | null | undefined;
  slots: OpenSlots;
  quiet: Pick<QuietChecks, 'withTimes'>;
  /** The time since which this process has run without an absence, in epoch milliseconds. */
  observingSince: () => number;
  /** The latest absences. */
  absences: () => Absences;
}

export interface RoleLoops {
  watched: readonly WatchedLoop[];
  /** Lets `stop` end without waiting for messages that are being sent. */
  interrupt(): void;
  /** Stops the loops. Messages that are being sent get up to ten seconds to finish. */
  stop(): Promise<void>;
}

/**
 * Starts the loops of the roles that the node has. The checker's own loop starts in engine.ts, because every node needs
 * it for the checks that users ask for.
 */
export async function startRoleLoops(
  deps: Deps & { clock: SteadyClock },
  options: RoleLoopsOptions,
): Promise<RoleLoops> {
  const { roles } = options;
  const delivering = roles.includes('deliver') ? await startDelivering(deps, options) : null;
  const checking = roles.includes('checker')
    ? [watched('heartbeats', startHeartbeats(deps, { ...options.heartbeats, store: options.store }))]
    : [];
  const housekeeping = roles.includes('housekeeping') ? startHousekeeping(deps, options) : [];
  const loops = [...checking, ...(delivering?.watched ?? []), ...housekeeping];
  return {
    watched: loops,
    interrupt: () => delivering?.interrupt(),
    async stop() {
      await Promise.all(loops.map(({ loop }) => loop.stop()));
    },
  };
}

async function startDelivering(deps: Deps & { clock: SteadyClock }, options: RoleLoopsOptions) {
  const { store, notifier, messageRules, maxDeliveries } = options;
  const deliveries = await startDeliveries(deps, {
    store,
    notifier,
    ...(messageRules && { rules: messageRules }),
    maxUnderWay: maxDeliveries,
  });
  const closings = startClosings(deps, { store, notifier });
  return {
    watched: [
      watched('deliveries', deliveries),
      watched('reviews', startReviews(deps, store)),
      watched('reminders', startReminders(deps, store)),
      watchedSlow('closings', closings),
    ],
    interrupt() {
      deliveries.interrupt();
      closings.interrupt();
    },
  };
}

function startHousekeeping(deps: Deps, options: RoleLoopsOptions): WatchedLoop[] {
  const { store, readRegistration, rawRetentionDays, projectMetrics, slots, quiet, observingSince, absences } = options;
  return [
    watched('maintenance', startMaintenance(deps, store)),
    watchedSlow('rollups', startRollups(deps, store)),
    watchedSlow('expiries', startExpiries(deps, store, readRegistration)),
    watchedSlow('folds', startFolds(deps, store, { slots, quiet })),
    watchedSlow('silent regions', startSilentRegions(deps, store, { observingSince, absences, quiet })),
    watchedFailing('partitions', startPartitions(deps, store, rawRetentionDays)),
    watchedSlow('retention', startRetention(deps, store, { rawRetentionDays, projectMetrics })),
  ];
}
