import { expect, test } from 'vitest';
import { createLatestVerdicts } from './latest-verdicts.ts';

test('only a passed check after a passed check of the same version of a monitor says nothing new', () => {
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
