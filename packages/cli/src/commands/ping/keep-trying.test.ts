import { ApiError, BadRequestError, ConnectionError, TimeoutError } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { keepTrying, type RetryOptions } from './keep-trying.ts';

const answered = (status: number, retryAfter: number | null = null) =>
  new ApiError({ status, code: 'internal', title: 'x', detail: `Answer ${status}.`, requestId: null, retryAfter });

/** Creates an attempt that fails once with each of the errors, in their order, and then succeeds. */
function attempts(...errors: Error[]) {
  const messages: string[] = [];
  let count = 0;
  const run = (options: Partial<RetryOptions> = {}) =>
    keepTrying(
      async () => {
        const error = errors[count++];
        if (error) throw error;
        return 'done';
      },
      { seconds: 30, signal: new AbortController().signal, say: (text) => messages.push(text), ...options },
    );
  return { run, messages, count: () => count };
}

describe('a temporary error', () => {
  test.each<[string, Error]>([
    ['a missing answer', new ConnectionError('No answer.', {})],
    ['an answer after the timeout', new TimeoutError('Too late.')],
    ...[408, 429, 500, 502, 503, 504].map((status): [string, Error] => [`an answer of ${status}`, answered(status)]),
  ])('keepTrying retries after %s', async (_, error) => {
    const it = attempts(error);
    const stop = new AbortController();
    const say = (text: string) => (it.messages.push(text), stop.abort());
    await expect(it.run({ signal: stop.signal, say })).rejects.toMatchObject({ name: 'AbortError' });
    expect(it.messages).toEqual([`not recorded yet (${error.message}); retrying in 250 ms`]);
  });

  test('keepTrying returns the result of the successful attempt after a retry', async () => {
    const it = attempts(answered(500));
    expect(await it.run()).toBe('done');
    expect(it.count()).toBe(2);
  });
});

test.each<[string, Error]>([
  ['a wrong address', answered(404)],
  [
    'a refused request',
    new BadRequestError({ status: 400, code: 'invalid_request', title: 'x', detail: 'x', requestId: null }),
  ],
  ['a refused key', answered(401)],
  ['a fault of the program', new TypeError('x is not a function')],
])('keepTrying throws the error for %s at once, without a retry', async (_, error) => {
  const it = attempts(error);
  await expect(it.run()).rejects.toBe(error);
  expect([it.count(), it.messages]).toEqual([1, []]);
});

test('keepTrying throws the first error if there is no time for retries', async () => {
  const error = answered(503);
  const it = attempts(error);
  await expect(it.run({ seconds: 0 })).rejects.toBe(error);
  expect([it.count(), it.messages]).toEqual([1, []]);
});

test('if the server asks for a longer wait than --retry-for allows, keepTrying fails at once and advises a larger value', async () => {
  const it = attempts(answered(429, 95));
  await expect(it.run()).rejects.toMatchObject({
    message: 'the ping is not recorded: Answer 429.; the server asks to wait 1 min 35 s, but --retry-for allows 30 s',
    next: 'add --retry-for 105 to wait that long',
  });
  expect(it.count()).toBe(1);
});

test('the advised value of --retry-for never exceeds the maximum of the flag', async () => {
  await expect(attempts(answered(503, 90_000)).run()).rejects.toMatchObject({
    next: 'add --retry-for 3600 to wait that long',
  });
});

test('keepTrying obeys a wait that the server requested earlier, and fails if this wait is too long', async () => {
  const it = attempts();
  expect(await it.run({ firstAfterMs: 5 })).toBe('done');
  expect(it.messages).toEqual(['not recorded yet (the server is busy); retrying in 5 ms']);
  await expect(attempts().run({ firstAfterMs: 40_000 })).rejects.toThrow(
    /the server asks to wait 40 s, but --retry-for allows 30 s/,
  );
});

test('Ctrl-C ends the wait before a retry', async () => {
  const stop = new AbortController();
  const it = attempts(answered(503, 20));
  const running = it.run({ signal: stop.signal, say: () => stop.abort() });
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect(it.count()).toBe(1);
});
