import { expect, test } from 'vitest';
import { addSample, type ClockSample, correctionMs } from './clock-offset.ts';

test('the clock is corrected by the difference that the exchange with the shortest round trip shows', () => {
  const samples = [
    { roundTripMs: 900, offsetMs: 4000 },
    { roundTripMs: 20, offsetMs: 3600 },
  ];
  expect(correctionMs(samples)).toBe(3600);
});

test('a difference between the clocks is not corrected if the round trip may explain it', () => {
  expect(correctionMs([])).toBe(0);
  expect(correctionMs([{ roundTripMs: 400, offsetMs: 240 }])).toBe(0);
  expect(correctionMs([{ roundTripMs: 400, offsetMs: -260 }])).toBe(-260);
});

test('the correction compares only the latest eight exchanges with the server', () => {
  let samples: ClockSample[] = [{ roundTripMs: 1, offsetMs: 9000 }];
  for (let n = 0; n < 8; n++) samples = addSample(samples, { roundTripMs: 10, offsetMs: 0 });
  expect(correctionMs(samples)).toBe(0);
});
