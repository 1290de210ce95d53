import { ApiError, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { expect, test } from 'vitest';
import { lookRepeatedly } from './look-repeatedly.ts';

/**
 * Watches a fake server until a fake clock has advanced by `forMs`. Returns the calls of the view, and the waits in
 * milliseconds.
 */
async function watch(forMs: number, status?: number, retryAfter = 0) {
  const server = createFakeServer();
  const client = new Uptime(server);
  for (const name of ['a', 'b', 'c'])
    await client.monitors.create({ type: 'tcp', name, host: 'localhost', port: 1, labels: { name } });
  server.requests.length = 0;
  if (status !== undefined) server.failNext({ status, retryAfter });
  const calls: string[] = [];
  const view = {
    show: async (monitors: readonly { name: string }[]) => void calls.push(monitors.map(({ name }) => name).join()),
    failed: () => void calls.push('failed'),
    close: () => undefined,
  };
  const waitsMs: number[] = [];
  const clock = {
    monotonicMs: () => waitsMs.reduce((sum, waitMs) => sum + waitMs, 0),
    wait: async (waitMs: number) => void waitsMs.push(waitMs),
  };
  const looking = { labels: ['name=a'], everyMs: 20, clock, endMonoMs: forMs };
  await lookRepeatedly(looking, view, { client, signal: new AbortController().signal });
  return { calls, waitsMs, requests: server.requests };
}

test('each read sends one request, and the view shows only the monitors with the given label', async () => {
  const { calls, waitsMs, requests } = await watch(50);
  expect(calls).toEqual(['a', 'a', 'a', 'a']);
  // The last wait is shorter, because the last read is at the end of the watch.
  expect(waitsMs).toEqual([20, 20, 10]);
  expect(requests).toEqual(calls.map(() => 'GET /api/monitors'));
});

test('after a temporary failure the watch reads the server again, and waits at least as long as the server asks', async () => {
  expect(await watch(30, 503)).toMatchObject({ calls: ['failed', 'a', 'a'], waitsMs: [20, 10] });
  expect(await watch(59_020, 429, 59)).toMatchObject({ calls: ['failed', 'a', 'a'], waitsMs: [59_000, 20] });
  // The server asks for a wait of an hour (Retry-After). The watch ends earlier, so it reads once more, at its end.
  expect(await watch(100, 429, 3600)).toMatchObject({ calls: ['failed', 'a'], waitsMs: [100] });
});

test('a permanent error ends the watch', async () => {
  await expect(watch(100, 401)).rejects.toThrow(ApiError);
});
