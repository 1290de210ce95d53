import { afterEach, describe, expect, test, vi } from 'vitest';
import { apiError } from './errors.ts';
import { AbortedError, ConnectionError, TimeoutError, UptimeError } from './index.ts';
import { aborted, delayAfter, retryAfter, wait } from './retry.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answered = (status: number, seconds: number | null = null) =>
  apiError({ status, code: 'internal', title: '', detail: '', retryAfter: seconds });

describe('the wait before the next attempt', () => {
  test.each([408, 425, 429, 502, 503, 504])(
    'the wait after the status %i is as long as the server asks, up to a minute',
    (status) => {
      expect(delayAfter(answered(status, 7), 0)).toBe(7000);
      expect(delayAfter(answered(status, 0), 5)).toBe(0);
      expect(delayAfter(answered(status, 60), 0)).toBe(60_000);
      expect(delayAfter(answered(status, 60.5), 0)).toBeNull();
    },
  );

  test.each([200, 301, 400, 401, 402, 403, 404, 409, 413, 415, 418, 500, 501, 505])(
    'delayAfter returns null for the status %i, even if the server sends a Retry-After',
    (status) => expect(delayAfter(answered(status, 1), 0)).toBeNull(),
  );

  test.each([
    [0, 250],
    [1, 500],
    [4, 4000],
    [5, 8000],
    [6, 8000],
    [30, 8000],
  ])('the wait after the attempt with the index %i is at least 0 ms and at most %i ms', (attempt, maxMs) => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1);
    for (const error of [new ConnectionError('x'), new TimeoutError('x'), answered(503)])
      expect(delayAfter(error, attempt)).toBe(maxMs);
    random.mockReturnValue(0);
    expect(delayAfter(new ConnectionError('x'), attempt)).toBe(0);
  });

  test.each([new AbortedError('x'), new UptimeError('x'), new TypeError('x'), 'x', null])(
    'delayAfter returns null for the error %s, because another attempt would also fail',
    (error) => expect(delayAfter(error, 0)).toBeNull(),
  );
});

test.each([
  ['0', 0],
  ['7', 7],
  [' 120 ', 120],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ['Wed, 21 Oct 2020 07:28:00 GMT', 0],
  ['', null],
  ['soon', null],
  [null, null],
])('the Retry-After header %j asks for a wait of %j seconds', (header, seconds) => {
  vi.useFakeTimers({ now: new Date('2026-10-21T07:28:00Z') });
  expect(retryAfter(header)).toBe(seconds);
});

describe('a wait', () => {
  test('wait ends after its milliseconds', async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const done = wait(1000, undefined).then(ended);
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(ended).toHaveBeenCalledOnce();
  });

  test('wait rejects at once when the signal aborts, and leaves no timer', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const done = wait(60_000, controller.signal);
    controller.abort('enough');
    await expect(done).rejects.toMatchObject({ constructor: AbortedError, cause: 'enough' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('wait leaves no listener on a signal that is used later', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const done = wait(10, controller.signal);
    await vi.advanceTimersByTimeAsync(10);
    await done;
    expect(removed).toHaveBeenCalledOnce();
  });
});

test('the error of an aborted call has the reason of the signal', () => {
  expect(aborted(AbortSignal.abort('enough'))).toMatchObject({ message: 'The call was aborted.', cause: 'enough' });
  expect(aborted(undefined).cause).toBeUndefined();
});
