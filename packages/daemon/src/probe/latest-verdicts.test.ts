import { expect, test } from 'vitest';
import { createLatestVerdicts } from './latest-verdicts.ts';

test('every verdict is new, except a pass after a pass of the same version of the monitor', () => {
  const verdicts = createLatestVerdicts();
  const said = (monitor: number, verdict: 'up' | 'down' | 'internal', generation = 1) =>
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
  expect([said(1, 'up'), said(1, 'up'), said(2, 'up'), said(1, 'up', 2)]).toEqual([true, false, true, true]);
  expect([said(1, 'down', 2), said(1, 'down', 2), said(1, 'up', 2), said(1, 'up', 2)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
