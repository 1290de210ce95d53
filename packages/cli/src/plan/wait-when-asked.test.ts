import { RateLimitError } from '@uptime/sdk';
import { expect, test } from 'vitest';
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
  const withWaits = waitWhenAsked({ signal: new AbortController().signal, onWait: () => undefined });
  const calls: { name: string; atMonoMs: number }[] = [];
  const refusals: Record<string, (error: Error) => void> = {};
  const { create } = withWaits(
    writer((input) => {
      const name = String(input['name']);
      const isFirst = calls.every((call) => call.name !== name);
      calls.push({ name, atMonoMs: performance.now() });
      return isFirst && name !== 'third'
        ? new Promise((_, reject) => (refusals[name] = reject))
        : Promise.resolve(remote);
    }),
  );
  const all = [create({ name: 'first' }), create({ name: 'second' })];
  await new Promise(setImmediate);
  refusals['first']!(rateLimited(0.05));
  await new Promise(setImmediate);
  all.push(create({ name: 'third' }));
  const secondRefusedMonoMs = performance.now();
  refusals['second']!(rateLimited(0.3));
  await Promise.all(all);
  const [first, second, ...later] = calls;
  expect([first?.name, second?.name]).toEqual(['first', 'second']);
  expect(later.map(({ name }) => name).toSorted()).toEqual(['first', 'second', 'third']);
  for (const { atMonoMs } of later) expect(atMonoMs - secondRefusedMonoMs).toBeGreaterThanOrEqual(300);
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

test('an abort ends the wait of a call', async () => {
  const stop = new AbortController();
  const withWaits = waitWhenAsked({ signal: stop.signal, onWait: () => stop.abort() });
  await expect(withWaits(writer(() => Promise.reject(rateLimited(800)))).create({})).rejects.toThrow('slow down');
});

test('an apply succeeds on a server that temporarily refuses many requests, and says that it waits', async () => {
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
