import type { FinishedCheck } from '../../recording/record-outcome.ts';
import type { CheckedNow } from '../handler.ts';

/** The result of a check on request, as the API returns it. */
export const checkedNow = ({ at, outcome }: FinishedCheck, region: string): CheckedNow => ({
  status: outcome.verdict,
  checkedAt: at,
  region,
  responseTime: outcome.responseTime,
  statusCode: outcome.statusCode,
  error: outcome.error,
  timings: outcome.timings,
  trace: outcome.trace,
});
