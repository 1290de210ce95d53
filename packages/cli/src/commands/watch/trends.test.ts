import { type Monitor, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { expect, test } from 'vitest';
import { createTrends } from './trends.ts';

const noon = Date.parse('2026-01-02T12:00:00Z');

/**
 * Creates a monitor on a fake server for each item of `changes`, with these fields changed. Records the requests for
 * response times.
 */
async function watched(changes: readonly Partial<Monitor>[]) {
  const server = createFakeServer();
  const reads: string[] = [];
  const client = new Uptime({
    ...server,
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      if (!pathname.endsWith('/response-times')) return server.fetch(input, init);
      reads.push(`${pathname.split('/').at(-2)}${search}`);
      return Promise.resolve(
        Response.json([
          { responseTime: 7, status: 'up' },
          { responseTime: 9, status: 'down' },
        ]),
      );
    },
  });
  const monitors: Monitor[] = [];
  for (const [i, change] of changes.entries()) {
    const monitor = await client.monitors.create({ type: 'tcp', name: `m${i}`, host: 'localhost', port: 1 });
    const times = { createdAt: '2026-01-01T00:00:00.000Z', lastCheckedAt: '2026-01-02T11:59:00.000Z' };
    monitors.push({ ...monitor, ...times, ...change } as Monitor);
  }
  const trends = createTrends();
  const read = async (now: number, visible = monitors) => {
    await trends.read(visible, { client, signal: new AbortController().signal }, now);
    return reads.splice(0);
  };
  return { monitors, trends, read };
}

test('a refresh reads only the response times of today, and returns null for a failed check', async () => {
  const { monitors, trends, read } = await watched([{}]);
  const { id } = monitors[0]!;
  expect(await read(noon)).toEqual([`${id}?from=2026-01-02`]);
  expect(trends.times.get(id)).toEqual([7, null]);
});

test('a refresh sends no request for a monitor that is checked once a second, or was never checked', async () => {
  const { read } = await watched([{ interval: 1 }, { lastCheckedAt: null }]);
  expect(await read(noon)).toEqual([]);
});

test('each refresh reads only a few monitors, and the next refresh reads other monitors', async () => {
  const { read } = await watched(Array.from({ length: 6 }, () => ({ interval: 60 })));
  const first = await read(noon);
  const second = await read(noon + 5000);
  expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([4, 2, 6]);
});

test('the response times of a monitor are read again after a new check, and sooner if there are few results', async () => {
  const { monitors, read } = await watched([{ interval: 60 }]);
  const later = [{ ...monitors[0]!, lastCheckedAt: '2026-01-02T12:00:00.000Z' }];
  await read(noon);
  expect(await read(noon + 600_000)).toEqual([]);
  // The monitor has 720 results since midnight. At 100 ms for each result, two reads are at least 72 s apart.
  expect(await read(noon + 60_000, later)).toEqual([]);
  expect(await read(noon + 80_000, later)).toHaveLength(1);
});
