import type { FinishedCheck } from '../../recording/record-outcome.ts';
import type { CheckedNow } from '../handler.ts';

/** Returns the result of a check that a user asked for, with the fields that handlers need. */
export const checkedNow = ({ at, outcome }: FinishedCheck, region: string): CheckedNow => ({
  status: outcome.verdict,
  checkedAt: at,
  region,
  responseTime: outcome.responseTime,
  statusCode: outcome.statusCode,
  error: outcome.error,
  timings: outcome.timings,
  trace: [...outcome.trace],
});
