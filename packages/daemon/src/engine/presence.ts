import { outOfDescriptors } from '../checks/system-errors.ts';
import { servingMs } from '../core/absence.ts';
import { shortRunsAfter } from '../core/slow-start.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { moveTimeline } from '../recording/move-timeline.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import { recordAbsence } from '../recording/record-absence.ts';
import type { WallClock } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import { createWallClockFollower } from './follow-wall-clock.ts';
import { type Loop, startLoop } from './loop.ts';

/** Time between signs of life. */
const beatMs = 1000;
/** Milliseconds for which a refused ping counts as a fault, unless a later ping is accepted. */
const refusalMs = 10_000;
/** Milliseconds after which a daemon that did not come back is forgotten. */
const forgottenAfterMs = 30 * 24 * 3_600_000;
/** A gap that is this much longer than a beat is an absence. */
const toleranceMs = 2000;

export interface Presence extends Loop {
  /** Since when this process has watched without a gap. */
  observingSince(): number;
  /**
   * Leaves a sign of life now. Call it before silence is judged, so that a gap is noticed first. Rejects while the
   * store accepts no writes or pings cannot be received.
   */
  confirm(): Promise<void>;
  /** Milliseconds since the last accepted sign of life, and the reason if that is long. */
  silence(): { ms: number; reason: string };
  /** How many runs in a row before this one crashed within a minute of their start. */
  shortRuns: number;
}

/**
 * Leaves a sign of life every second, and notices gaps:
 * 1. At the start, the time since the last sign of life of any daemon is an absence. Pings received meanwhile are
 * stored first. If the clock says that no time has passed, it was set, and the timeline moves.
 * 2. A late beat (the process or the store stalled) is an absence too, unless other daemons served.
 * 3. While pings cannot be received (no descriptors, or the store refuses them) there is no beat, and that time is an
 * absence of any length.
 * 4. Follows the wall clock: `wallClock`, which several daemons share, or else the machine's.
 */
export async function startPresence(
  deps: Deps & { clock: SteadyClock },
  store: Store,
  instance: { name: string; region: number },
  pings: Pick<PingRecorder, 'settled' | 'refusedForMs'>,
  wallClock: WallClock | null = null,
): Promise<Presence> {
  const { clock, log } = deps;
  const startedAt = clock.now();
  // The timeline may move, but the monotonic clock does not.
  const startedMono = clock.monotonicMs();
  const runs = await store.db.selectFrom('presence').selectAll().execute();
  const known = runs.find((run) => run.instance === instance.name);
  const shortRuns = known
    ? shortRunsAfter({
        startedAt: known.started_at,
        aliveAt: known.alive_at,
        endedAt: known.ended_at,
        shortRuns: known.short_runs,
      })
    : 0;
  if (runs.length > 0) {
    await pings.settled();
    const own = known?.alive_at ?? 0;
    const latest = Math.max(own, ...runs.map((run) => run.alive_at).filter((at) => at > startedAt + servingMs));
    if (latest <= startedAt) await recordAbsence(store, instance, own, startedAt);
    else await moveTimeline(store, { instance, from: latest, byMs: startedAt - latest }, null);
  }
  const begun = {
    region: instance.region,
    started_at: startedAt,
    alive_at: startedAt,
    ended_at: null,
    short_runs: shortRuns,
  };
  await store.write(async (trx) => {
    await trx
      .insertInto('presence')
      .values({ instance: instance.name, ...begun })
      .onConflict((conflict) => conflict.column('instance').doUpdateSet(begun))
      .execute();
    await trx
      .deleteFrom('presence')
      .where('alive_at', '<', startedAt - forgottenAfterMs)
      .execute();
  });

  let observingSince = startedMono;
  let lastBeat = startedMono;
  let lastTaken = clock.monotonicMs();
  let pingFault: string | null = null;
  const followWallClock = createWallClockFollower({ clock, log, store, instance, wallClock });

  const timeOf = (mono: number) => clock.now() - Math.round(clock.monotonicMs() - mono);

  const beatOnce = async () => {
    const why = pingFaultOf(pings);
    if (why !== null) {
      pingFault = why;
      throw new Error(`${why} Silence is not judged.`);
    }
    const beatAt = clock.monotonicMs();
    if (beatAt - lastBeat > beatMs + toleranceMs || pingFault !== null) {
      const [from, to] = [timeOf(lastBeat), clock.now()];
      log.warn({ from, to }, 'the daemon was absent for a while: that time does not count');
      // Pings that arrived while the store was gone also get back the time that followed them.
      await pings.settled();
      await recordAbsence(store, instance, from, to);
      observingSince = beatAt;
      pingFault = null;
    } else {
      const now = clock.now();
      await store.write(
        async (trx) => {
          await trx.updateTable('presence').set({ alive_at: now }).where('instance', '=', instance.name).execute();
          await trx.updateTable('region').set({ seen_at: now }).where('id', '=', instance.region).execute();
        },
        { durable: false },
      );
    }
    lastBeat = beatAt;
    lastTaken = clock.monotonicMs();
    await followWallClock();
  };

  let beating: Promise<void> = Promise.resolve();
  const confirm = () => {
    beating = beating.then(beatOnce, beatOnce);
    return beating;
  };
  const loop = startLoop(deps, 'presence', async () => {
    await confirm();
    return beatMs;
  });
  return {
    ...loop,
    shortRuns,
    async stop() {
      await loop.stop();
      try {
        await store.write((trx) =>
          trx.updateTable('presence').set({ ended_at: clock.now() }).where('instance', '=', instance.name).execute(),
        );
      } catch (error) {
        log.warn({ err: error }, 'the clean stop could not be recorded: the next start will count it as a crash');
      }
    },
    confirm,
    observingSince: () => timeOf(observingSince),
    silence: () => ({
      ms: clock.monotonicMs() - lastTaken,
      reason: pingFault ?? 'The store accepts no writes.',
    }),
  };
}

/** Why a ping could not be received now, or null. */
function pingFaultOf(pings: Pick<PingRecorder, 'refusedForMs'>): string | null {
  if (outOfDescriptors()) return 'The process has no file descriptors left.';
  const refusedFor = pings.refusedForMs();
  return refusedFor !== null && refusedFor < refusalMs ? 'The store accepts no pings.' : null;
}
