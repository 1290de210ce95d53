import { type Monitor, Uptime } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import { type Chosen, readChosen, refuseUnclear } from './choose-monitors.ts';
import type { Waiting } from './gate.ts';
import { readAgain } from './read-again.ts';
import { stateText, showProgress } from './progress.ts';

const monitor = (id: string, status: string, labels: Record<string, string> = {}, key: string | null = null) => ({
  id: `mon_${id}`,
  key,
  name: id.toUpperCase(),
  status,
  labels,
});
const some = [
  monitor('a', 'up', { team: 'x' }),
  monitor('b', 'paused', { team: 'x' }, 'bee'),
  monitor('c', 'down'),
  monitor('d', 'paused', { team: 'y' }),
];

/** Creates a connection to a server that answers requests about these monitors like the real one. */
const answering = (monitors: object[]) => {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search, searchParams } = new URL(new Request(input, init).url);
    requests.push(pathname.replace('/api', '') + search);
    const all = monitors as Partial<Record<string, unknown>>[];
    const id = pathname.split('/')[3];
    if (id !== undefined) {
      const found = all.find((one) => one['id'] === id);
      return Response.json(found ?? { status: 404, code: 'not_found', detail: 'There is none.' }, {
        status: found ? 200 : 404,
      });
    }
    const fits = (one: Partial<Record<string, unknown>>) =>
      ['key', 'name'].every((field) => !searchParams.has(field) || one[field] === searchParams.get(field));
    return Response.json(all.filter(fits));
  };
  const { context, output } = recordedContext();
  const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch, retries: 0 });
  return { requests, output, connection: { client, signal: context.signal, io: context.io, context, settings: {} } };
};

const chosen = (given: Partial<Chosen>): Chosen => ({ words: [], labels: [], all: false, ...given });

test.each<[string, Partial<Chosen>, string | null]>([
  ['names', { words: ['a', 'b'] }, null],
  ['labels', { labels: ['team=x', 'tier'] }, null],
  ['all', { all: true }, null],
  ['nothing', {}, 'no monitor is named'],
  ['names and labels', { words: ['a'], labels: ['team'] }, 'names, --label and --all exclude each other'],
  ['labels and all', { labels: ['team'], all: true }, 'names, --label and --all exclude each other'],
])('for %s (%j), refuseUnclear throws the error %j (null: no error)', (_, given, refusal) => {
  if (refusal === null) expect(() => refuseUnclear(chosen(given))).not.toThrow();
  else expect(() => refuseUnclear(chosen(given))).toThrow(refusal);
});

describe('the monitors of a wait', () => {
  test.each<[string, Partial<Chosen>, string[], string]>([
    ['by label, without paused monitors', { labels: ['team=x'] }, ['mon_a'], 'Paused monitors left out: 1.\n'],
    ['with --all, without paused monitors', { all: true }, ['mon_a', 'mon_c'], 'Paused monitors left out: 2.\n'],
    ['by name', { words: ['C'] }, ['mon_c'], ''],
    ['by several names, each monitor only once', { words: ['C', 'mon_a', 'A', 'C'] }, ['mon_c', 'mon_a'], ''],
  ])('the monitors of a wait are chosen %s', async (_, given, ids, note) => {
    const { connection, output } = answering(some);
    expect((await readChosen(chosen(given), connection)).map(({ id }) => id)).toEqual(ids);
    expect(output.stderr).toBe(note);
  });

  test.each<[string, Partial<Chosen>, object[], string, string]>([
    [
      'in an empty project',
      { all: true },
      [],
      'this project has no monitors yet, so there is nothing to wait for',
      'uptime init',
    ],
    [
      'for a label that no monitor has',
      { labels: ['team=z'] },
      some,
      'none of 4 monitors matches',
      'uptime monitors list',
    ],
    [
      'if all monitors with the label are paused',
      { labels: ['team=y'] },
      some,
      'every monitor that matches is paused',
      'uptime monitors resume',
    ],
    [
      'if one of the named monitors is paused',
      { words: ['A', 'B'] },
      some,
      '"B" is paused, so it gets no results',
      '`uptime monitors resume bee`',
    ],
    [
      'for a name with a typing error',
      { words: ['A', 'bea'] },
      some,
      'no monitor has the id, key or name "bea"',
      'did you mean "bee"?',
    ],
  ])('a wait fails with advice %s', async (_, given, monitors, message, next) => {
    const { connection } = answering(monitors);
    await expect(readChosen(chosen(given), connection)).rejects.toMatchObject({
      message,
      next: expect.stringContaining(next),
    });
  });

  test('a wait finds several named monitors with one request for the list', async () => {
    const { connection, requests } = answering(some);
    await readChosen(chosen({ words: ['A', 'C', 'mon_a'] }), connection);
    expect(requests).toEqual(['/monitors?limit=1000']);
  });
});

describe('a repeated read of the monitors', () => {
  test('readAgain requests a single monitor by its id, and several monitors with the list', async () => {
    const { connection, requests } = answering(some);
    expect(await readAgain(['mon_a'], connection)).toMatchObject({ monitors: [{ id: 'mon_a' }] });
    expect(await readAgain(['mon_a', 'mon_c'], connection)).toMatchObject({ monitors: some });
    expect(await readAgain(['mon_gone'], connection)).toEqual({ monitors: [] });
    expect(requests).toEqual(['/monitors/mon_a', '/monitors?limit=1000', '/monitors/mon_gone']);
  });

  test.each<[number, string | null, boolean, number]>([
    [500, null, true, 0],
    [503, '7', true, 7000],
    [429, '3', true, 3000],
    [408, null, true, 0],
    [401, null, false, 0],
    [403, null, false, 0],
    [400, null, false, 0],
  ])(
    'if readAgain gets the HTTP status %i with Retry-After %j, the error is temporary: %s',
    async (status, retryAfter, passes, retryAfterMs) => {
      const { connection } = answering([]);
      const fetch = async () =>
        Response.json(
          { status, code: 'internal', detail: 'It failed.' },
          { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } },
        );
      const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch });
      const look = readAgain(['mon_a'], { ...connection, client });
      if (passes) expect(await look).toEqual({ failed: 'It failed.', retryAfterMs });
      else await expect(look).rejects.toMatchObject({ status });
    },
  );
});

describe('the progress of a wait without a terminal', () => {
  const goal = { until: 'up' as const, confirm: 3 };
  const waiting = (status: Monitor['status'] | 'gone', confirmed = 0, reached = false): Waiting => ({
    id: 'mon_a',
    key: null,
    name: 'A\u001b[2J',
    status,
    interval: 60,
    lastCheckedAt: null,
    confirmed,
    reached,
  });

  test.each<[Waiting, string]>([
    [waiting('down'), 'A (down)'],
    [waiting('up', 1), 'A (up, 1 of 3 results)'],
    [waiting('up', 3, true), 'A (up)'],
    [waiting('gone'), 'A (gone)'],
  ])('the progress of a wait shows the monitor %j as %j', (one, text) => {
    expect(stateText(one, goal)).toBe(text);
  });

  test('without a terminal, the progress of a wait has a line for each change, and says once that the server cannot be read', async () => {
    const { context, output } = recordedContext();
    const progress = await showProgress(context.io, goal);
    progress.look([waiting('down')]);
    progress.look([waiting('down')]);
    progress.failed('It is\u0007 busy.');
    progress.failed('It is busy.');
    progress.look([waiting('up', 1)]);
    progress.look([waiting('up', 3, true)]);
    progress.end();
    expect(output.stderr.trimEnd().split('\n')).toEqual([
      'waiting: A (down)',
      'the server cannot be read: It is\uFFFD busy.; trying again',
      'the server answers again',
      'waiting: A (up, 1 of 3 results)',
      'reached: A (up)',
    ]);
  });
});
