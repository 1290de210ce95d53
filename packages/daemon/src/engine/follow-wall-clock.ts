import { type OtherClocks, compareOtherClocks, isTimely, judgeSkew, type SkewWatch } from '../core/clock-skew.ts';
import type { Logger, SteadyClock } from '../deps.ts';
import { moveTimeline } from '../recording/move-timeline.ts';
import type { WallClock } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';

/** If a reading of the wall clock took longer than this, it is too inexact to use. */
const maxReadingMs = 100;
/**
 * How long a starting daemon waits for a new sign of life of another daemon. Running daemons record a sign each second.
 */
const signWaitMs = 1250;
const signPollMs = 25;
/**
 * If the last sign of life of a daemon is further than this from the present time, the daemon counts as stopped. The
 * clock of a running daemon may be wrong, but not by this much.
 */
const maxSkewMs = 24 * 3_600_000;

interface Follower {
  clock: SteadyClock;
  log: Logger;
  store: Store;
  instance: { name: string; region: number };
  /** The clock that all daemons on the database share. Null: the clock of this machine. */
  wallClock: WallClock | null;
  /** Called after the machine was suspended for this long while other nodes ran. */
  onSuspended: (ms: number) => void;
}

/**
 * Returns a function that compares the daemon's clock with the wall clock, and corrects the daemon's clock if needed.
 * Call that function once a second.
 */
export function createWallClockFollower({
  clock,
  log,
  store,
  instance,
  wallClock,
  onSuspended,
}: Follower): () => Promise<void> {
  let watch: SkewWatch | null = null;

  return async () => {
    const skewMs = wallClock === null ? clock.skewMs() : await readSkew(clock, store, wallClock);
    if (skewMs === null) return;
    const otherClocks = await readOtherClocks(skewMs);
    const judged = judgeSkew(watch, { skewMs, atMonoMs: clock.monotonicMs(), otherClocks });
    watch = judged.watch;
    if (judged.slewMs !== 0) clock.slew(judged.slewMs);
    if (judged.stepMs === 0) return;
    if (otherClocks === 'differ') {
      log.warn({ byMs: judged.stepMs }, 'this machine was suspended; its clock takes the time of the other daemons');
      // The stored times follow the clocks of the other nodes, so they do not move.
      clock.step(judged.stepMs);
      if (judged.stepMs > 0) onSuspended(judged.stepMs);
      return;
    }
    log.warn(
      { byMs: judged.stepMs },
      'the clock was set, or the machine was suspended; the skipped time counts in no uptime and in no silence',
    );
    await moveTimeline(store, { instance, from: clock.now(), byMs: judged.stepMs }, clock);
    watch = null;
  };

  async function readOtherClocks(skewMs: number): Promise<OtherClocks> {
    if (wallClock === null) return 'none';
    const signs = await signsOfOthers(store, instance.name);
    const own = clock.now();
    return compareOtherClocks(
      signs.map(({ at }) => at),
      { own, wall: own + skewMs },
    );
  }
}

/**
 * Sets the clock of a starting daemon. If other daemons run, the clock gets the time that they keep. That time differs
 * from the shared wall clock if the wall clock was set. If no other daemon runs, the clock gets the time of the shared
 * wall clock.
 */
export async function joinTimeline({
  clock,
  store,
  instance,
  wallClock,
}: Pick<Follower, 'clock' | 'store' | 'wallClock'> & { instance: string }): Promise<void> {
  if (wallClock === null) return;
  let skewMs: number | null = null;
  // If the database is slow, maybe no reading is exact enough. Then the daemon keeps the time of its machine.
  for (let tries = 0; skewMs === null && tries < 5; tries++) skewMs = await readSkew(clock, store, wallClock);
  if (skewMs !== null) clock.step(Math.round(skewMs));
  const now = clock.now();
  const before = (await signsOfOthers(store, instance)).filter(
    ({ at, ended }) => !ended && Math.abs(now - at) < maxSkewMs,
  );
  if (before.length === 0 || before.some(({ at }) => isTimely(at, now))) return;
  const known = new Map(before.map(({ name, at }) => [name, at]));
  for (const untilMonoMs = clock.monotonicMs() + signWaitMs; clock.monotonicMs() < untilMonoMs;) {
    await wait(clock, signPollMs);
    const signs = await signsOfOthers(store, instance);
    const moved = signs.find(({ name, at }) => known.get(name) !== at);
    if (moved) {
      clock.step(moved.at - clock.now());
      return;
    }
  }
}

/**
 * Returns by how many milliseconds the wall clock is ahead of the daemon's clock; null if the reading took too long.
 */
async function readSkew(clock: SteadyClock, store: Store, wallClock: WallClock): Promise<number | null> {
  const [before, fromMonoMs] = [clock.now(), clock.monotonicMs()];
  const wall = await wallClock(store.db);
  return clock.monotonicMs() - fromMonoMs > maxReadingMs ? null : wall - (before + clock.now()) / 2;
}

async function signsOfOthers(store: Store, own: string): Promise<{ name: string; at: number; ended: boolean }[]> {
  const rows = await store.db
    .selectFrom('presence')
    .select(['instance', 'alive_at', 'ended_at'])
    .where('instance', '!=', own)
    .execute();
  return rows.map((row) => ({ name: row.instance, at: row.alive_at, ended: row.ended_at !== null }));
}
