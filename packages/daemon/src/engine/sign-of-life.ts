import { outOfDescriptors } from '../checks/system-errors.ts';
import type { Absence, Absences, NotedAbsences } from '../core/absence.ts';
import type { ServingNode } from '../core/roles.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { noteReport } from '../lifecycle/regions.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import { recordAbsence } from '../recording/record-absence.ts';
import { readAbsences } from '../store/noted-absences.ts';
import type { Store } from '../store/store.ts';
import { readSockets } from '../wait.ts';
import { createKnownAbsences, withAlso } from './known-absences.ts';
import { createRejoinRegion } from './rejoin-region.ts';

/** Time between signs of life. */
export const beatMs = 1000;
/**
 * After the store refused a ping, the daemon counts as unable to receive pings for this time, or until the store
 * accepts a ping.
 */
const refusalMs = 10_000;
/** If a sign of life is late by more than this, the time since the last sign of life is an absence. */
const toleranceMs = 2000;

export interface SignOfLife {
  /** Records a sign of life. If it is late, also records the time since the last sign of life as an absence. */
  leave(): Promise<void>;
  /** The time since which this process has run without an absence, in epoch milliseconds. */
  observingSince(): number;
  /** The latest absences of all daemons: see core/absence.ts. */
  absences(): Absences;
  /** Notes that the machine was suspended for this long, just before now. So the next sign of life counts as late. */
  suspended(ms: number): void;
  /** Adds a time for which this process may not have all reports. Only this process counts it as an absence. */
  leaveOut(time: Absence | null): void;
  /** Returns the time since the store last accepted a sign of life, and the reason to report if that time is long. */
  silence(): { ms: number; reason: string };
  /**
   * Resolves when the work that `leave` started has ended. This work may continue after `leave` has resolved. Call
   * this function after the last sign of life.
   */
  settled(): Promise<void>;
}

export function createSignOfLife(
  { clock, log }: Pick<Deps, 'log'> & { clock: SteadyClock },
  store: Store,
  node: ServingNode,
  pings: Pick<PingRecorder, 'settled' | 'refusedForMs'>,
  /** `startedMonoMs`: when this process started. `noted`, `seen`: the absences at that time (see `recordAbsence`). */
  { startedMonoMs, noted, seen }: { startedMonoMs: number; noted: Absences; seen: NotedAbsences },
): SignOfLife {
  let observingSinceMonoMs = startedMonoMs;
  let lastBeatMonoMs = startedMonoMs;
  let lastTakenMonoMs = clock.monotonicMs();
  let pingFault: string | null = null;
  const timeOf = (monoMs: number) => clock.now() - Math.round(clock.monotonicMs() - monoMs);
  const known = createKnownAbsences(clock, noted);
  known.leaveOut(seen);
  const isLate = () => clock.monotonicMs() - lastBeatMonoMs > beatMs + toleranceMs;
  // During an absence, and until it is recorded, the process does not observe.
  const observingSince = () => (isLate() ? clock.now() : timeOf(observingSinceMonoMs));
  const latestAbsences = (): Absences => {
    if (!isLate()) return known.all();
    const present = [{ from: timeOf(lastBeatMonoMs), to: clock.now() }];
    return withAlso(known.all(), { receiving: present, checking: present });
  };
  const rejoinRegion = createRejoinRegion({ clock, log }, store, observingSince);

  return {
    async leave() {
      const why = pingFaultOf(pings);
      if (why !== null) {
        pingFault = why;
        throw new Error(`${why} Meanwhile, silent heartbeats are not reported as down.`);
      }
      const beatMonoMs = clock.monotonicMs();
      if (isLate() || pingFault !== null) {
        const [from, to] = [timeOf(lastBeatMonoMs), clock.now()];
        log.warn({ from, to }, 'the daemon was absent for a while; that time counts in no uptime and in no silence');
        // Pings that arrived while the store was gone are stored before the absence. If they were stored later, they
        // would set deadlines by their own times, without the extension for the absence.
        await pings.settled();
        const { noted, seen } = await recordAbsence(store, node, { from, to, now: () => clock.now() });
        known.learn(noted);
        known.leaveOut(seen);
        observingSinceMonoMs = beatMonoMs;
        pingFault = null;
      } else {
        const { region, absences: noted } = await noteSeen(store, node, pings, clock.now());
        if (noted) known.learn(noted);
        if (region && !region.hasMonitors) rejoinRegion.begin(region.name);
      }
      lastBeatMonoMs = beatMonoMs;
      lastTakenMonoMs = clock.monotonicMs();
    },
    observingSince,
    absences: latestAbsences,
    suspended: (ms) => void (lastBeatMonoMs -= ms),
    leaveOut: (time) => time && known.leaveOut({ receiving: [time], checking: [time] }),
    silence: () => ({ ms: clock.monotonicMs() - lastTakenMonoMs, reason: pingFault ?? 'The store accepts no writes.' }),
    settled: () => rejoinRegion.settled(),
  };
}

/** Notes that this node runs. If the node checks, also notes that it reports from its region. */
async function noteSeen(
  store: Store,
  node: ServingNode,
  pings: Pick<PingRecorder, 'settled'>,
  now: number,
): Promise<{ region: Awaited<ReturnType<typeof noteReport>>; absences: Absences | null }> {
  // Other nodes rely on this sign when they look for silent heartbeats: it means that all pings that this node received
  // earlier are recorded.
  if (!store.dialect.exclusive && node.roles.includes('api')) {
    await readSockets();
    await pings.settled();
  }
  return store.write(
    async (trx) => {
      await trx.updateTable('presence').set({ alive_at: now }).where('instance', '=', node.name).execute();
      const region = node.roles.includes('checker') ? await noteReport(trx, node.region, now) : undefined;
      // Other nodes may have noted absences since the last sign of this node.
      return { region, absences: store.dialect.exclusive ? null : await readAbsences(trx) };
    },
    { durable: false },
  );
}

/** Returns why no ping can be received now; null if pings can be received. */
function pingFaultOf(pings: Pick<PingRecorder, 'refusedForMs'>): string | null {
  if (outOfDescriptors()) return 'The process has no file descriptors left.';
  const refusedFor = pings.refusedForMs();
  return refusedFor !== null && refusedFor < refusalMs ? 'The store accepts no pings.' : null;
}
