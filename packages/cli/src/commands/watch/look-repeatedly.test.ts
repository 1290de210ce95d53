import { ApiError, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { expect, test } from 'vitest';
import { lookRepeatedly } from './look-repeatedly.ts';

/** Watches a fake server for a time, and returns what the view was told. */
async function watch(forMs: number, status?: number, retryAfter = 0) {
  const server = createFakeServer();
  const client = new Uptime(server);
  for (const name of ['a', 'b', 'c'])
    await client.monitors.create({ type: 'tcp', name, host: 'localhost', port: 1, labels: { name } });
  server.requests.length = 0;
  if (status !== undefined) server.failNext({ status, retryAfter });
  const told: string[] = [];
  const view = {
    show: async (monitors: readonly { name: string }[]) => void told.push(monitors.map(({ name }) => name).join()),
    failed: () => void told.push('failed'),
    close: () => undefined,
  };
  const looking = { labels: ['name=a'], everyMs: 20, endAt: performance.now() + forMs };
  await lookRepeatedly(looking, view, { client, signal: new AbortController().signal });
  return { told, requests: server.requests };
}

test('each look is one request, and shows the labelled monitors', async () => {
  const { told, requests } = await watch(60);
  expect(told.length).toBeGreaterThan(1);
  expect(new Set(told)).toEqual(new Set(['a']));
  expect(requests).toEqual(told.map(() => 'GET /api/monitors'));
});

test('a server that fails for now is read again, but not before it asks for it', async () => {
  expect((await watch(100, 503)).told.slice(0, 2)).toEqual(['failed', 'a']);
  // The only other look is the one at the end.
  expect((await watch(100, 429, 3600)).told).toEqual(['failed', 'a']);
});

test('an error that does not pass by itself ends the watch', async () => {
  await expect(watch(100, 401)).rejects.toThrow(ApiError);
});
