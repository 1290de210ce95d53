import { expect, test } from 'vitest';
import { createLatestVerdicts } from './latest-verdicts.ts';

test('isNew returns false only if a check and the previous check of the same version of the monitor both passed', () => {
  const verdicts = createLatestVerdicts();
  const isReported = (monitor: number, verdict: 'up' | 'down' | 'internal', generation = 1) =>
    verdicts.isNew({
      monitor,
      generation,
      outcome: {
        verdict,
        error: null,
        responseTime: null,
        statusCode: null,
        timings: null,
        certificate: null,
        trace: [],
      },
    });
  expect([isReported(1, 'up'), isReported(1, 'up'), isReported(2, 'up'), isReported(1, 'up', 2)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([isReported(1, 'down', 2), isReported(1, 'down', 2), isReported(1, 'up', 2), isReported(1, 'up', 2)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
