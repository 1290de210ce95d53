import { RateLimitError } from '@uptime/sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSession } from '../testing/session.ts';
import type { Writer } from './apply.ts';
import { waitWhenAsked } from './wait-when-asked.ts';

const rateLimited = (retryAfter: number | null) =>
  new RateLimitError({ status: 429, code: 'rate_limited', title: 'x', detail: 'slow down', retryAfter });

const remote = { id: 'mon_1', name: 'a' };
const writer = (create: Writer['create']): Writer => ({
  create,
  update: (_, patch) => create(patch),
  delete: () => create({}),
});

test('a call waits as long as the server asks, and no other call starts during that wait', async () => {
  const waits: number[] = [];
  const calls: string[] = [];
  const withWaits = waitWhenAsked({ signal: new AbortController().signal, onWait: (seconds) => waits.push(seconds) });
  let refusals = 1;
  const { create } = withWaits(
    writer(async ({ name }) => {
      calls.push(String(name));
      if (refusals-- > 0) throw rateLimited(0.05);
      return remote;
    }),
  );
  const first = create({ name: 'first' });
  await Promise.resolve();
  while (waits.length === 0) await new Promise(setImmediate);
  const second = create({ name: 'second' });
  await new Promise(setImmediate);
  expect(calls).toEqual(['first']);
  await Promise.all([first, second]);
  expect(calls.toSorted()).toEqual(['first', 'first', 'second']);
  expect(waits).toEqual([0.05]);
});

test('the wait of a call becomes longer if the server asks another call to wait', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const withWaits = waitWhenAsked({ signal: new AbortController().signal, onWait: () => undefined });
  const calls: string[] = [];
  const refusals: Record<string, (error: Error) => void> = {};
  const { create } = withWaits(
    writer(({ name }) => {
      calls.push(String(name));
      const isFirst = calls.filter((one) => one === name).length === 1;
      return isFirst && name !== 'third'
        ? new Promise((_, reject) => (refusals[String(name)] = reject))
        : Promise.resolve(remote);
    }),
  );
  const all = [create({ name: 'first' }), create({ name: 'second' })];
  await vi.advanceTimersByTimeAsync(0);
  refusals['first']!(rateLimited(1));
  await vi.advanceTimersByTimeAsync(0);
  all.push(create({ name: 'third' }));
  await vi.advanceTimersByTimeAsync(0);
  refusals['second']!(rateLimited(5));
  await vi.advanceTimersByTimeAsync(4999);
  expect(calls).toEqual(['first', 'second']);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(all);
  expect(calls.toSorted()).toEqual(['first', 'first', 'second', 'second', 'third']);
});

test('a call fails if the server asks for no wait, for too long a wait, or for too many waits', async () => {
  for (const [error, count] of [
    [rateLimited(null), 1],
    [rateLimited(3600), 1],
    [new Error('cut'), 1],
    [rateLimited(0), 6],
  ] as const) {
    let calls = 0;
    const withWaits = waitWhenAsked({ signal: new AbortController().signal, onWait: () => undefined });
    const { create } = withWaits(writer(() => (calls++, Promise.reject(error))));
    await expect(create({})).rejects.toBe(error);
    expect(calls).toBe(count);
  }
});

test('an abort ends the wait', async () => {
  const stop = new AbortController();
  const withWaits = waitWhenAsked({ signal: stop.signal, onWait: () => stop.abort() });
  await expect(withWaits(writer(() => Promise.reject(rateLimited(800)))).create({})).rejects.toThrow('slow down');
});

test('an apply succeeds on a server that refuses many requests for now, and says that it waits', async () => {
  await using session = await openSession();
  const items = Array.from({ length: 20 }, (_, i) => `  - { name: m${i}, type: heartbeat }\n`);
  await session.write('monitors.yaml', `monitors:\n${items.join('')}`);
  let posts = 0;
  const fetch: typeof globalThis.fetch = (input, init) =>
    init?.method === 'POST' && ++posts <= 9
      ? Promise.resolve(
          Response.json({ code: 'rate_limited', status: 429 }, { status: 429, headers: { 'retry-after': '0' } }),
        )
      : session.server.fetch(input, init);
  const { exit, stderr } = await session.uptime(['apply', '--yes', '--concurrency', '1'], { fetch });
  expect(exit, stderr).toBe(0);
  expect(stderr).toContain('0 of 20 made; the server asked to wait 0 s');
  expect(stderr).toContain('Applied: 20 changed');
});
