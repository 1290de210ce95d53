import { describe, expect, it } from 'vitest';
import { firstPace, nextPace, type StartPace } from './start-rate.ts';

/** Begins checks of cost 1 for `ms` milliseconds. Returns how many began, the largest burst, and the last rate. */
function run(ms: number, { turnMs, lagMs }: { turnMs: number; lagMs: number }) {
  let pace: StartPace = firstPace;
  let [begun, largest] = [0, 0];
  for (let at = 0; at < ms; at += turnMs) {
    pace = nextPace(pace, { passedMs: turnMs, lagMs });
    const burst = Math.max(0, Math.ceil(pace.credit));
    begun += burst;
    largest = Math.max(largest, burst);
    pace = { ...pace, credit: pace.credit - burst };
  }
  return { begun, largest, perMs: pace.perMs };
}

describe('the pace of starts', () => {
  it('the pace of starts grows while the event loop has little lag', () => {
    expect(run(2000, { turnMs: 1, lagMs: 0 }).perMs).toBe(20);
  });

  it('the pace of starts shrinks to the slowest rate while the event loop lags', () => {
    const fast = { perMs: 20, credit: 0 };
    let pace: StartPace = fast;
    for (let turn = 0; turn < 20; turn++) pace = nextPace(pace, { passedMs: 30, lagMs: 29 });
    expect(pace.perMs).toBe(5);
  });

  it('the pace of starts depends on the time that passed, not on the number of turns', () => {
    const often = run(1000, { turnMs: 1, lagMs: 10 });
    const seldom = run(1000, { turnMs: 10, lagMs: 10 });
    expect(Math.abs(often.begun - seldom.begun)).toBeLessThan(often.begun / 10);
    expect(often.begun).toBeGreaterThanOrEqual(5000);
  });

  it('the pace of starts allows only a limited burst after a long wait', () => {
    expect(nextPace(firstPace, { passedMs: 60_000, lagMs: 59_999 }).credit).toBeLessThanOrEqual(150);
    expect(run(10_000, { turnMs: 500, lagMs: 499 }).largest).toBeLessThanOrEqual(150);
  });

  it('the pace of starts allows no further start after a costly start until new credit has paid for that start', () => {
    const paid = nextPace({ perMs: 3, credit: -7 }, { passedMs: 2, lagMs: null });
    expect(paid.credit).toBe(-1);
  });
});
