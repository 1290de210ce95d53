import { describe, expect, it } from 'vitest';
import { afterFailure, afterRateLimit, failureKind, isCautious } from './backoff.ts';

const hour = 3_600_000;
const failed = { kind: 'failed', now: 0, triedSince: 0, attempts: 0, refusals: 0, random: 0 } as const;

describe('a message that failed', () => {
  it('a failed message waits 2 s at first, then twice as long each time, up to an hour', () => {
    const waits = Array.from({ length: 14 }, (_, attempts) => afterFailure({ ...failed, attempts }).nextAt! / 1000);
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600, 3600]);
  });

  it('a failed message waits up to a quarter less at random, so that messages that failed together are not retried together', () => {
    const waits = [0, 0.5, 0.999].map((random) => afterFailure({ ...failed, attempts: 11, random }).nextAt! / hour);
    expect(waits).toEqual([1, 0.875, expect.closeTo(0.75, 2)]);
  });

  it('a failed message is given up a day after the first attempt', () => {
    const late = { ...failed, attempts: 30 };
    expect(afterFailure({ ...late, now: 23 * hour }).nextAt).toBe(24 * hour);
    expect(afterFailure({ ...late, now: 23 * hour + 1 }).nextAt).toBeNull();
    expect(afterFailure({ ...late, kind: 'rate_limited', now: 24 * hour + 1 }).nextAt).toBeNull();
  });

  it('a failed message is retried a minute after a refusal, and given up at the second refusal in a row', () => {
    const first = afterFailure({ ...failed, kind: 'refused' });
    expect(first).toEqual({ attempts: 1, refusals: 1, nextAt: 60_000 });
    expect(afterFailure({ ...failed, ...first, kind: 'refused' }).nextAt).toBeNull();
    const between = afterFailure({ ...failed, ...first });
    expect(afterFailure({ ...failed, ...between, kind: 'refused' }).nextAt).toBe(60_000);
  });

  it('a failed message keeps its counts of failures after a rate limit, and stays due while its channel waits', () => {
    const before = { attempts: 3, refusals: 1 };
    expect(afterFailure({ ...failed, ...before, kind: 'rate_limited', now: 5 })).toEqual({ ...before, nextAt: 5 });
  });
});

it('status 429 or a Retry-After time means a rate limit, and a failure with `retry: false` means a refusal', () => {
  const kinds = [
    { retry: true, status: 429, retryAfterMs: null },
    { retry: true, status: 503, retryAfterMs: 1000 },
    { retry: true, status: 503, retryAfterMs: null },
    { retry: false, status: 403, retryAfterMs: null },
  ].map(failureKind);
  expect(kinds).toEqual(['rate_limited', 'rate_limited', 'failed', 'refused']);
});

describe('a channel with a rate limit', () => {
  const open = { waitUntil: 0, limits: 0 };

  it('a channel with a rate limit gets no message for as long as its provider asks, up to 15 minutes', () => {
    const asked = (retryAfterMs: number) => afterRateLimit(open, { begunAt: 1, now: 1, retryAfterMs }).waitUntil - 1;
    expect([asked(500), asked(60_000), asked(24 * hour)]).toEqual([500, 60_000, 900_000]);
  });

  it('a channel with a rate limit waits 1 s if the provider names no time, and 1.5 times as long after each further rate limit, up to a minute', () => {
    const waits = [];
    for (let limit = { ...open }, at = 1; waits.length < 13; at = limit.waitUntil) {
      limit = afterRateLimit(limit, { begunAt: at, now: at, retryAfterMs: null });
      waits.push(limit.waitUntil - at);
    }
    expect(waits.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(waits.at(-1)).toBe(60_000);
  });

  it('a channel counts a rate limit once, even if several messages that are sent at the same time meet it', () => {
    const limited = afterRateLimit(open, { begunAt: 100, now: 110, retryAfterMs: null });
    expect(afterRateLimit(limited, { begunAt: 100, now: 112, retryAfterMs: null })).toEqual(limited);
  });

  it('after a rate limit, a channel gets one message at a time until a minute after the end of the wait', () => {
    expect([isCautious(0, hour), isCautious(hour, hour + 59_999), isCautious(hour, hour + 60_000)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
