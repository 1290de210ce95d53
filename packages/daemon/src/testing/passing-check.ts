import type { CheckOutcome } from '../checks/check.ts';

/** The outcome of a passing check. */
export const passed: CheckOutcome = {
  verdict: 'up',
  error: null,
  responseTime: 12.5,
  statusCode: 200,
  timings: { dns: 1, connect: 2, tls: null, firstByte: 9, download: 0.5 },
  certificate: null,
  trace: [{ at: 0, event: 'asked nobody' }],
};

/** A check that contacts nothing and passes, for tests in which the target does not matter. */
export const passingCheck = async (): Promise<CheckOutcome> => ({ ...passed });
