import type { ServingNode } from '../core/roles.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import type { WallClock } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import { beginPresence } from './begin-presence.ts';
import { createWallClockFollower } from './follow-wall-clock.ts';
import { type Loop, startLoop } from './loop.ts';
import { beatMs, createSignOfLife, type SignOfLife } from './sign-of-life.ts';

export interface Presence extends Loop, Pick<SignOfLife, 'observingSince' | 'absences' | 'leaveOut' | 'silence'> {
  /**
   * Records a sign of life now. Call this function before the daemon looks for silent heartbeats, so that the daemon
   * notices an absence first. Rejects while the store accepts no writes, and while pings cannot be received.
   */
  confirm(): Promise<void>;
  /** The number of crashes in a row before this run, each within a minute of a start. */
  shortRuns: number;
}

/**
 * Records a sign of life every second, and notices gaps:
 * 1. If no node did the work of this node just before the start, the start records that time as an absence. Pings that
 *    this process has already received are stored first. If the last sign of life is in the future, the clock was set
 *    back. Then the stored times move back, and there is no absence.
 * 2. If a sign of life is late (the process or the store stalled), the gap is an absence too. It does not include time
 *    in which other nodes did the work of this node.
 * 3. While pings cannot be received (no file descriptors, or the store refuses pings), no sign of life is recorded.
 *    That time is an absence, however short it is.
 * 4. The daemon's clock follows the wall clock: `wallClock`, which several daemons share, or else the clock of the
 *    machine.
 */
export async function startPresence(
  deps: Deps & { clock: SteadyClock },
  store: Store,
  node: ServingNode,
  pings: Pick<PingRecorder, 'settled' | 'refusedForMs'>,
  wallClock: WallClock | null = null,
): Promise<Presence> {
  const { clock, log } = deps;
  // The daemon's clock may step, but the monotonic clock does not.
  const [startedAt, startedMonoMs] = [clock.now(), clock.monotonicMs()];
  const { shortRuns, noted, seen } = await beginPresence(store, node, pings, { clock, startedAt });
  const signOfLife = createSignOfLife(deps, store, node, pings, { startedMonoMs, noted, seen });
  const followWallClock = createWallClockFollower({
    clock,
    log,
    store,
    instance: node,
    wallClock,
    onSuspended: (ms) => signOfLife.suspended(ms),
  });

  const beat = async () => {
    await signOfLife.leave();
    await followWallClock();
  };
  let beating: Promise<void> = Promise.resolve();
  const confirm = () => {
    beating = beating.then(beat, beat);
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
      await signOfLife.settled();
      try {
        await store.write((trx) =>
          trx.updateTable('presence').set({ ended_at: clock.now() }).where('instance', '=', node.name).execute(),
        );
      } catch (error) {
        log.warn({ err: error }, 'the clean stop could not be recorded: the next start will count it as a crash');
      }
    },
    confirm,
    observingSince: () => signOfLife.observingSince(),
    absences: () => signOfLife.absences(),
    leaveOut: (time) => signOfLife.leaveOut(time),
    silence: () => signOfLife.silence(),
  };
}
