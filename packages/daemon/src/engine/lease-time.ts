import type { SteadyClock } from '../deps.ts';

/**
 * When only this much time of a lease is left, the lease no longer counts as sure. The clocks of other processes may be
 * ahead, and a check needs a moment to begin.
 */
const marginMs = 3000;

/**
 * Call this function just before a statement takes a lease. The returned function says, without asking the database,
 * whether that lease certainly still holds. It uses both clocks of the machine, wall and monotonic, because the
 * monotonic clock stands still while a machine is suspended.
 */
export function startLeaseTime(clock: SteadyClock, leaseMs: number): () => boolean {
  const wall = () => clock.now() + clock.skewMs();
  const [fromMonoMs, fromWall] = [clock.monotonicMs(), wall()];
  const sureMs = leaseMs - marginMs;
  return () => clock.monotonicMs() - fromMonoMs < sureMs && wall() - fromWall < sureMs;
}
