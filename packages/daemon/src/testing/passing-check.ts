import type { CheckOutcome } from '../checks/check.ts';

/** What a check finds that passes. */
export const passed: CheckOutcome = {
  verdict: 'up',
  error: null,
  responseTime: 12.5,
  statusCode: 200,
  timings: { dns: 1, connect: 2, tls: null, firstByte: 9, download: 0.5 },
  certificate: null,
  trace: [{ at: 0, event: 'asked nobody' }],
};

/** A check that asks nobody and passes: for tests in which it does not matter what is checked. */
export const passingCheck = async (): Promise<CheckOutcome> => ({ ...passed });
