import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const incident = { id: 'inc_1', title: 'Slow', status: 'investigating', updates: [] };
const window = {
  title: 'Move',
  maintenance: true,
  scheduledStart: '2026-01-31T08:00:00Z',
  scheduledEnd: '2026-01-31T09:00:00Z',
};

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['list', 'GET /api/incidents', ({ incidents }) => incidents.list(), null, 200, [incident]],
  ['get', 'GET /api/incidents/inc_1', ({ incidents }) => incidents.get('inc_1'), null, 200, incident],
  [
    'create',
    'POST /api/incidents',
    ({ incidents }) => incidents.create({ title: 'Slow' }),
    { title: 'Slow' },
    201,
    incident,
  ],
  [
    'create for a maintenance window',
    'POST /api/incidents',
    ({ incidents }) => incidents.create(window),
    window,
    201,
    incident,
  ],
  [
    'update',
    'PATCH /api/incidents/inc_1',
    ({ incidents }) => incidents.update('inc_1', { status: 'resolved', message: 'Back.' }),
    { status: 'resolved', message: 'Back.' },
    200,
    incident,
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['delete', 'DELETE /api/incidents/inc_1', ({ incidents }) => incidents.delete('inc_1')],
];

test.each(calls)('incidents.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('incidents.%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});
