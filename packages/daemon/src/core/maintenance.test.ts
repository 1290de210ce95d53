import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inForce, timeInWindows } from './maintenance.ts';

test('a window is in force from its start until just before its end', () => {
  const window = { start: 10, end: 20 };
  expect([9, 10, 19, 20].map((at) => inForce(window, at))).toEqual([false, true, true, false]);
});

test('the time within windows equals the number of milliseconds that are inside at least one window', () => {
  const instant = fc.integer({ min: 0, max: 60 });
  const span = fc.tuple(instant, instant).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  fc.assert(
    fc.property(span, fc.array(span, { maxLength: 6 }), ({ start, end }, windows) => {
      let counted = 0;
      for (let at = start; at < end; at++) if (windows.some((window) => inForce(window, at))) counted++;
      expect(timeInWindows(start, end, windows)).toBe(counted);
    }),
  );
});
