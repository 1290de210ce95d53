import type { ProbeResult } from '../probe-protocol.ts';

/** Returns the result of a passed check of monitor 1 that ended at the time `at`, with these fields changed. */
export const passedResult = <More extends object>(at: number, more: More): Omit<ProbeResult, 'seq'> & More => ({
  monitor: 1,
  generation: 0,
  begun: at,
  at,
  verdict: 'up',
  over: false,
  error: null,
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
  ...more,
});
