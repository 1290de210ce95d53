import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { startFraction } from '../core/slow-start.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { ReadRegistration } from '../expiry/registration.ts';
import type { Notifier } from '../alerting/notifier.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import type { MessageRules } from '../alerting/message-rules.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import { createOutcomeRecording, type FinishedCheck } from '../recording/record-outcome.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import { createBatch } from '../store/batch.ts';
import type { WallClock } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import { type ProjectChecks, startChecker } from './checker.ts';
import { startClosings } from './closings.ts';
import { startExpiries } from './expiries.ts';
import { startDeliveries } from './deliveries.ts';
import { createEngineHealth, type EngineHealth } from './engine-health.ts';
import { startHeartbeats } from './heartbeats.ts';
import { watched, watchedPatiently } from './hung-loops.ts';
import { startMaintenance } from './maintenance.ts';
import { startPresence } from './presence.ts';
import { startReminders } from './reminders.ts';
import { startRetention } from './retention.ts';
import { startRollups } from './rollups.ts';

/**
 * Milliseconds for which finished checks are gathered into one commit. A longer time saves no CPU, and delays a ping
 * that arrives during the commit.
 */
const gatherMs = 8;
export interface EngineOptions {
  store: Store;
  /** The name of the region that this process checks from. */
  region: string;
  /** Tells this daemon from others on the same database, also after a restart. Default: there are no others. */
  instance?: string;
  /** The clock that all daemons on the database share. Default: the machine's. */
  wallClock?: WallClock | null;
  runCheck: (fields: ActiveFields, signal: AbortSignal, project: string) => Promise<CheckOutcome>;
  /** Why the checker's own network is at fault now, or null. */
  networkTrouble?: () => string | null;
  pings: PingRecorder;
  /** Sends messages. */
  notifier: Notifier;
  /** The rules for messages through the operator's gateways. Default: no limits. */
  messageRules?: MessageRules;
  /** Opens the secrets that a check sends. */
  vault: Pick<MonitorVault, 'open'>;
  rawRetentionDays: number;
  /** Most checks and deliveries at once, by the available descriptors. */
  shares?: { checks: number; deliveries: number };
  /** Whether a project's asked checks are limited by the minute. */
  limitAsking?: boolean;
  /** Asks the registry of a domain. */
  readRegistration: ReadRegistration;
  /** Called with each change of status after its commit. */
  onTransition: (transition: RecordedTransition) => void;
}

export interface Engine {
  /**
   * Checks a monitor at once and records the result. Throws `conflict` for a heartbeat or a paused one, and
   * `rate_limited`.
   */
  checkNow(monitor: number): Promise<FinishedCheck>;
  health: EngineHealth;
  /** The checks that a project runs and waits for. */
  checksOf(project: string): Promise<ProjectChecks>;
  /** Messages being sent have some seconds to finish. */
  stop(): Promise<void>;
  /** A stop waits no longer for messages being sent. */
  interrupt(): void;
}

/** Starts every loop. The presence comes first, because it decides how the time before this start counts. */
export async function startEngine(deps: Deps & { clock: SteadyClock }, options: EngineOptions): Promise<Engine> {
  const { store, onTransition } = options;
  const { wallClock = null } = options;
  const { instance = 'serve:only' } = options;
  const region = await joinRegion(store, options.region, deps.clock.now());
  const presence = await startPresence(deps, store, { name: instance, region }, options.pings, wallClock);
  const begunAt = deps.clock.monotonicMs();
  const capacity = () => startFraction(presence.shortRuns, deps.clock.monotonicMs() - begunAt);
  if (capacity() < 1)
    deps.log.warn({ crashes: presence.shortRuns }, 'the last runs crashed soon after their start: checks start slowly');
  const recordOutcome = createOutcomeRecording(store, options.region, (at) => deps.clock.renew(at));
  const outcomes = createBatch(
    store,
    async (trx, checks: FinishedCheck[]) => {
      // In a fixed order, because two regions that write at once could otherwise deadlock.
      const transitions = new Map<FinishedCheck, RecordedTransition | null>();
      for (const check of checks.toSorted((one, other) => one.monitor - other.monitor))
        transitions.set(check, await recordOutcome(trx, check));
      return checks.map((check) => transitions.get(check) ?? null);
    },
    // A result that changes nothing may be lost in a power cut: the next check finds the same.
    { gatherMs, durable: false },
  );
  // In the same log as the results, so that its synced commit syncs everything before it.
  const synced = createBatch(store, async (trx, items: RecordedTransition[]) => {
    await trx.updateTable('presence').set({ alive_at: deps.clock.now() }).where('instance', '=', instance).execute();
    return items;
  });
  const checker = startChecker(deps, {
    store,
    vault: options.vault,
    region,
    observingSince: () => presence.observingSince(),
    runCheck: options.runCheck,
    most: options.shares?.checks,
    limitAsking: options.limitAsking,
    capacity,
    async record(check) {
      const transition = await outcomes.submit(check);
      // Listeners hear of a transition only once a power cut cannot undo it.
      if (transition) onTransition(await synced.submit(transition));
    },
  });
  const deliveries = await startDeliveries(deps, {
    store,
    notifier: options.notifier,
    rules: options.messageRules,
    mostUnderWay: options.shares?.deliveries,
  });
  const closings = startClosings(deps, { store, notifier: options.notifier });
  const heartbeats = startHeartbeats(deps, {
    store,
    pingsSettled: () => options.pings.settled(),
    confirmPresence: () => presence.confirm(),
    onTransition,
  });
  const housekeeping = [
    watched('reminders', startReminders(deps, store)),
    watched('maintenance', startMaintenance(deps, store)),
    watchedPatiently('closings', closings),
    watchedPatiently('rollups', startRollups(deps, store)),
    watchedPatiently('expiries', startExpiries(deps, store, options.readRegistration)),
    watchedPatiently('retention', startRetention(deps, store, options.rawRetentionDays)),
  ];
  const loops = [
    watched('presence', presence),
    watched('checker', checker),
    watched('heartbeats', heartbeats),
    watched('deliveries', deliveries),
    ...housekeeping,
  ];
  const networkTrouble = () => options.networkTrouble?.() ?? null;

  return {
    checkNow: (monitor) => checker.checkNow(monitor),
    checksOf: (project) => checker.usageOf(project),
    health: createEngineHealth(deps, { store, presence, checker, deliveries, loops, networkTrouble, capacity }),
    interrupt() {
      deliveries.interrupt();
      closings.interrupt();
    },
    async stop() {
      // Messages being sent get some time, during which the other loops stop too.
      const sent = deliveries.stop();
      await checker.stop();
      await outcomes.close();
      await synced.close();
      await Promise.all([sent, heartbeats.stop(), ...housekeeping.map(({ loop }) => loop.stop())]);
      await presence.stop();
    },
  };
}
