import type { SteadyClock } from '../deps.ts';

/**
 * A lease counts as held until this long before its end. The clocks of other processes may be ahead, and a check needs
 * a moment to begin.
 */
const marginMs = 3000;

/**
 * Starts the time of a lease that a statement is about to take. The returned function says whether the lease certainly
 * still holds, without asking the database. It uses both clocks of the machine, because the monotonic one stands still
 * while a machine is suspended.
 */
export function startLeaseTime(clock: SteadyClock, leaseMs: number): () => boolean {
  const wall = () => clock.now() + clock.skewMs();
  const [fromMono, fromWall] = [clock.monotonicMs(), wall()];
  const sureMs = leaseMs - marginMs;
  return () => clock.monotonicMs() - fromMono < sureMs && wall() - fromWall < sureMs;
}
