import type { Probe } from '../store/tables.ts';

type Reported = Pick<Probe, 'failed_at' | 'fault'>;

/** After a probe reports that most of its checks give no verdict, other probes check in its place for this time. */
const restMs = 5 * 60_000;
/**
 * A probe counts as working if its last such report is this much older. So the probes of a region return together after
 * a fault that affected all of them. Otherwise the first of them would get all monitors for a while.
 */
const workingAfterMs = 60_000;

/** Whether other probes of the region should check in place of this probe. */
export const shouldRest = ({ failed_at: failedAt }: Pick<Probe, 'failed_at'>, now: number): boolean =>
  failedAt !== null && failedAt > now - restMs;

/** Whether a probe works well enough to check in place of others. */
export const isWorking = ({ failed_at: failedAt }: Pick<Probe, 'failed_at'>, now: number): boolean =>
  failedAt === null || failedAt <= now - restMs - workingAfterMs;

/** Returns why a probe cannot check; null if it can. A resting probe has no checks, so it reports no fault itself. */
export const probeFault = (probe: Reported, now: number): string | null =>
  probe.fault ?? (shouldRest(probe, now) ? restingFault : null);

const restingFault =
  'Most of its checks gave no verdict in the last five minutes. If another probe of its region works, it checks instead.';
