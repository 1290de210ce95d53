import type { RunCheck } from './check-runner.ts';
import { type RegionReport, regionReports } from '../core/region-reports.ts';
import { allRoles, type Role } from '../core/roles.ts';
import { startFraction } from '../core/slow-start.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { ReadRegistration } from '../expiry/registration.ts';
import type { Notifier } from '../alerting/notifier.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import type { MessageRules } from '../alerting/message-rules.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import { createOpenSlots } from '../recording/open-slots.ts';
import { recallQuietChecks } from '../recording/recall-quiet-checks.ts';
import { createQuietChecks, type QuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording, type FinishedCheck, type RecordOutcomes } from '../recording/record-outcome.ts';
import type { RemoteRecording } from '../recording/remote-recording.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import type { WallClock } from '../store/dialect.ts';
import { wait } from '../wait.ts';
import type { StoredState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import { type CheckBatches, createCheckBatches } from './check-batches.ts';
import { type Checker, type ProjectChecks, startChecker } from './checker.ts';
import type { Claims } from './claims.ts';
import { createEngineHealth, type EngineHealth } from './engine-health.ts';
import { watched } from './hung-loops.ts';
import { createMonitorLoader } from './load-monitor.ts';
import { pingsRecordedUntil, servedSince } from './other-nodes.ts';
import { openSchedule } from './open-schedule.ts';

import { type Presence, startPresence } from './presence.ts';
import { type RoleLoops, startRoleLoops } from './role-loops.ts';

/**
 * `resultsSettled` waits at most this long until gathered results are stored. If the store is locked for longer, a
 * reader gets only the results that were stored before.
 */
const settledWithinMs = 200;

export interface EngineOptions {
  store: Store;
  /** The name of the region that this process checks from. */
  region: string;
  /** The roles of this node. Default: all. */
  roles?: readonly Role[];
  /**
   * The name of this daemon among the daemons on the same database. The name stays the same after a restart. Default:
   * `serve:only`, for a single daemon.
   */
  instance?: string;
  /** The clock that all daemons on the database share. Default: the clock of this machine. */
  wallClock?: WallClock | null;
  runCheck: RunCheck;
  /** Returns what is wrong with the network of this machine now; null if nothing is wrong. */
  networkTrouble?: () => string | null;
  pings: PingRecorder;
  /** Sends messages. */
  notifier: Notifier;
  /** The rules for messages through the operator's gateways. Default: no limits. */
  messageRules?: MessageRules;
  /** Decrypts the secrets that a check sends. */
  vault: Pick<MonitorVault, 'open'>;
  rawRetentionDays: number;
  /** Maximum number of pings with metrics that a project keeps; null for no limit. Default: no limit. */
  projectMetrics?: number | null;
  /**
   * Maximum number of checks at once, and of deliveries at once. Both depend on how many descriptors the process may
   * open.
   */
  shares?: { checks: number; deliveries: number };
  /** When the engine stops, running checks get this time to end. Default: no time. */
  finishChecksWithinMs?: number;
  /** Asks a registry for the expiry date of a domain. */
  readRegistration: ReadRegistration;
  /** Called with each change of status after its commit. */
  onTransition: (transition: RecordedTransition) => void;
}

export interface Engine {
  /**
   * Checks a monitor at once and records the result. Throws `conflict` for a heartbeat or a paused monitor, and
   * `rate_limited` if the project requests too many checks.
   */
  checkNow(monitor: number): Promise<FinishedCheck>;
  health: EngineHealth;
  /** Records checks that probes ran. */
  remote: RemoteRecording;
  /** How many monitors have checks that run or are not recorded yet. */
  unrecorded(): number;
  /**
   * When a monitor is due next, in epoch milliseconds. Null if the monitor has another generation now, or if only the
   * database knows the time.
   */
  nextCheckAt(monitor: number, generation: number): number | null;
  /** Stores the gathered results of checks. Resolves within a short time even if the store does not answer. */
  resultsSettled(): Promise<void>;
  /**
   * Returns when a monitor was last checked, in epoch milliseconds. `stored` is the time in the monitor's stored state.
   * A later check that changed only this time may not be stored yet.
   */
  lastCheckedAt(monitor: number, stored: number | null): number | null;
  /** The latest report of each region of a monitor, in the order of the regions' numbers. */
  regionsOf(monitor: number, state: StoredState, intervalMs: number): RegionReport[];
  /** Counts the running checks of a project, and its due checks that have not begun. */
  checksOf(project: string): Promise<ProjectChecks>;
  /** Stops all loops. Messages that are being sent get up to ten seconds to finish. */
  stop(): Promise<void>;
  /** Lets `stop` end without waiting for messages that are being sent. */
  interrupt(): void;
}

/**
 * Starts all loops of the node's roles. The presence loop starts first, because it records the time before this start
 * as an absence.
 */
export async function startEngine(deps: Deps & { clock: SteadyClock }, options: EngineOptions): Promise<Engine> {
  const { clock } = deps;
  const { store, onTransition, instance = 'serve:only', wallClock = null, roles = allRoles } = options;
  const checksDue = roles.includes('checker');
  const startedAt = clock.now();
  const region = checksDue
    ? await joinRegion(store, options.region, clock.now(), {
        observingSince: await servedSince(store, instance, clock.now()),
        clock,
      })
    : await store.write((trx) => regionNumber(trx, options.region));
  const node = { name: instance, region, roles };
  const presence = await startPresence(deps, store, node, options.pings, wallClock);
  const observingSince = () => presence.observingSince();
  const capacity = startCapacity(deps, presence.shortRuns);
  const quiet = createQuietChecks(clock);
  const slots = createOpenSlots(store);
  presence.leaveOut(await recallQuietChecks(store, quiet));
  const recordOutcomes = createOutcomeRecording(store, { renew: (at) => clock.renew(at), quiet, slots });
  // Results of probes need no correction for steps of the clock: a probe follows the time of this server, with all its
  // steps.
  const recordRemote = createOutcomeRecording(store, { renew: (at) => at, quiet, slots });
  const { claims, writes } = await openSchedule(store, clock, { region, observingSince });
  const recording = { clock, instance, recordOutcomes, writes, quiet, onTransition };
  const batches = createCheckBatches(store, recording);
  // Until now, this process accepted no results of probes. So this time counts as an absence: it makes no region
  // silent, and probes get time to connect again.
  presence.leaveOut({ from: startedAt, to: clock.now() });
  const checker = startChecker(deps, {
    loadMonitors: createMonitorLoader(store, options.vault),
    region,
    claims,
    checksDue,
    absences: () => presence.absences(),
    runCheck: options.runCheck,
    recordGathered: () => batches.settled(),
    maxRunning: options.shares?.checks,
    finishWithinMs: options.finishChecksWithinMs,
    capacity,
    record: (check) => batches.record(check),
  });
  const roleLoops = await startRoleLoops(deps, {
    ...options,
    roles,
    slots,
    quiet,
    observingSince,
    absences: () => presence.absences(),
    maxDeliveries: options.shares?.deliveries,
    heartbeats: {
      pingsSettled: () => options.pings.settled(),
      confirmPresence: () => presence.confirm(),
      pingsRecordedUntil: () => pingsRecordedUntil(store, node, clock.now()),
      onTransition,
    },
  });
  const checking = { presence, capacity, quiet, recordRemote, claims, batches, checker };
  return createEngine(deps, { options, ...checking, roleLoops });
}

interface EngineParts {
  options: EngineOptions;
  presence: Presence;
  capacity: () => number;
  quiet: QuietChecks;
  recordRemote: RecordOutcomes;
  claims: Claims;
  batches: CheckBatches;
  checker: Checker;
  roleLoops: RoleLoops;
}

function createEngine({ clock }: { clock: SteadyClock }, parts: EngineParts): Engine {
  const { presence, quiet, claims, batches, checker, roleLoops } = parts;
  const loops = [watched('presence', presence), watched('checker', checker), ...roleLoops.watched];
  const { store, networkTrouble = () => null } = parts.options;
  return {
    checkNow: (monitor) => checker.checkNow(monitor),
    unrecorded: () => checker.unrecorded(),
    nextCheckAt: (monitor, generation) => claims.nextCheckAt(monitor, generation),
    async resultsSettled() {
      const settled = new AbortController();
      await Promise.race([batches.settled(), wait(clock, settledWithinMs, settled.signal)]);
      settled.abort();
    },
    lastCheckedAt: (monitor, stored) => quiet.lastCheckedAt(monitor, stored),
    regionsOf: (monitor, state, intervalMs) =>
      regionReports(quiet.withTimes(monitor, state), clock.now(), {
        intervalMs,
        absences: presence.absences(),
      }),
    checksOf: (project) => checker.usageOf(project),
    remote: {
      observingSince: () => presence.observingSince(),
      absences: () => presence.absences(),
      record: parts.recordRemote,
      learn: (checks, recorded) => checks.forEach((check, at) => quiet.learn(check, recorded[at]!)),
    },
    health: createEngineHealth({ clock }, { ...parts, store, loops, networkTrouble }),
    interrupt: () => roleLoops.interrupt(),
    async stop() {
      // `roleLoops.stop` waits for messages that are being sent. The other loops stop during this wait.
      const stopped = roleLoops.stop();
      await checker.stop();
      await batches.close();
      await stopped;
      await presence.stop();
    },
  };
}

/**
 * Creates the function that returns which fraction of its slots the checker may use now, from 0 to 1. The fraction is
 * less than 1 for a while after crashes.
 */
function startCapacity({ clock, log }: Deps & { clock: SteadyClock }, crashes: number): () => number {
  const begunMonoMs = clock.monotonicMs();
  const capacity = () => startFraction(crashes, clock.monotonicMs() - begunMonoMs);
  if (capacity() < 1) log.warn({ crashes }, 'the last runs crashed soon after their start: checks start slowly');
  return capacity;
}
