import type { Deps } from '../deps.ts';
import { createRemoteSchedule } from './remote-schedule.ts';
import { createSync, type ProbeCaller, revoked, type Sync, type SyncOptions } from './sync.ts';
import { createTakeResults, type TakeResults, type TakeResultsOptions } from './take-results.ts';
import { findProbeToken } from './tokens.ts';

/** The server's side of probes. */
export interface ProbeHost {
  /** Finds the id and region of a token. Resolves with undefined if the token is unknown or revoked. */
  findToken(token: string): Promise<ProbeCaller | undefined>;
  /** Returns the error for a token that is unknown or revoked. */
  revoked(): Error;
  sync: Sync;
  takeResults: TakeResults;
  /** When a probe next checks the monitor with this `seq`, in epoch milliseconds; null if that is not known. */
  nextCheckAt(monitor: number): number | null;
}

export function createProbeHost(
  deps: Pick<Deps, 'clock' | 'log'>,
  options: SyncOptions & TakeResultsOptions,
): ProbeHost {
  const schedule = createRemoteSchedule();
  return {
    findToken: (token) => findProbeToken(options.store.db, token),
    revoked,
    sync: createSync(deps, options),
    takeResults: createTakeResults(deps, options, schedule),
    nextCheckAt: (monitor) => schedule.nextAt(monitor, deps.clock.now()),
  };
}
