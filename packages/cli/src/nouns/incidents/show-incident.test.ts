import type { Incident } from '@uptime/sdk';
import { Uptime } from '@uptime/sdk';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import { showIncident } from './show-incident.ts';

const at = '2030-01-02T03:04:05.678Z';
const incidentOf = (messages: readonly string[], fields: Partial<Incident> = {}): Incident =>
  ({
    id: 'inc_1',
    title: 'Slow',
    status: 'monitoring',
    maintenance: false,
    monitorIds: [],
    startedAt: at,
    resolvedAt: null,
    updates: messages.map((message) => ({ createdAt: at, status: 'investigating', message })),
    ...fields,
  }) as unknown as Incident;

/** Returns the lines that are printed for an incident, on a terminal of this width or in a pipe. */
async function shown(incident: Incident, columns?: number, quiet = false): Promise<string[]> {
  const { context, output } = recordedContext(columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } });
  const fetch = async () => Response.json([{ id: 'mon_1', key: null, name: 'Shop' }]);
  const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch });
  const { io, signal } = context;
  await showIncident(incident, { format: 'table', quiet }, { client, io, signal, context, settings: {} });
  return output.stdout.trimEnd().split('\n');
}

/** Returns the lines that a terminal shows for a message of the timeline, without the lines above it. */
const messageOn = async (columns: number, message: string): Promise<string[]> => {
  const lines = await shown(incidentOf([message]), columns);
  return lines.slice(lines.findIndex((line) => line.endsWith(': investigating')) + 1);
};

describe('a message of the timeline on a terminal', () => {
  test('a message of the timeline is indented, and is broken only between words', async () => {
    const lines = await messageOn(30, 'We have found the cause and are working on it.');
    expect(lines).toEqual(['  We have found the cause and', '  are working on it.']);
  });

  test('an address that is longer than a line is not broken, so that it can be copied', async () => {
    const address = `https://shop.example/${'a'.repeat(100)}`;
    expect(await messageOn(80, `See ${address} for more.`)).toEqual(['  See', `  ${address}`, '  for more.']);
    expect(await messageOn(80, address)).toEqual([`  ${address}`]);
  });

  test('an empty message of the timeline has no line', async () => {
    expect(await messageOn(80, '')).toEqual([]);
  });

  test('the lines of a message contain all its words in order, and a line with several words is never too wide', async () => {
    const word = fc
      .tuple(fc.constantFrom('a', 'é', '短'), fc.integer({ min: 1, max: 60 }))
      .map(([char, n]) => char.repeat(n));
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 22, max: 90 }),
        async (words, columns) => {
          const lines = await messageOn(columns, words.join(' '));
          expect(lines.flatMap((line) => line.trim().split(/\s+/))).toEqual(words);
          for (const line of lines) {
            expect(line).toMatch(/^ {2}\S/);
            if (/\S\s+\S/.test(line.slice(2))) expect(Array.from(line).length).toBeLessThanOrEqual(columns);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('in a pipe, the timeline is a table with each message on one line', async () => {
  const lines = await shown(incidentOf(['We look\n into it.', '']));
  expect(lines.slice(-3).map((line) => line.split(/ {2,}/))).toEqual([
    ['TIME', 'STATUS', 'MESSAGE'],
    [at, 'investigating', 'We look into it.'],
    [at, 'investigating', '-'],
  ]);
});

test('the output for an incident names its monitors, and the output for a window also has its start and end', async () => {
  const window = { maintenance: true, scheduledStart: at, scheduledEnd: null, monitorIds: ['mon_1', 'mon_9'] };
  const lines = await shown(incidentOf([], window));
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'id: inc_1',
    'title: Slow',
    'status: monitoring',
    'monitors: Shop, mon_9',
    `scheduledStart: ${at}`,
    'scheduledEnd: -',
    'resolvedAt: -',
  ]);
});

test('with --quiet, only the id of an incident is printed', async () => {
  expect(await shown(incidentOf(['x']), 80, true)).toEqual(['inc_1']);
});
