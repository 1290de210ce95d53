import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { type Fault, faults, type FaultProxy, openFaultProxy } from '../../testing/fault-proxy.ts';
import { openSession, type Session, type SessionServer } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => i + from);
const item = (i: number, interval: number) =>
  `  - { key: m${i}, name: m${i}, type: ping, host: m${i}.example, interval: ${interval}, paused: true }\n`;
const list = (indexes: number[], interval: number) => `monitors:\n${indexes.map((i) => item(i, interval)).join('')}`;

/** What stands before, and what is wanted: 8 creations, 6 updates and 6 deletions. */
const before = list(numbers(16), 60);
const wanted = list(numbers(10).concat(numbers(8, 16)), 60).replaceAll(/(key: m[0-5], .*interval: )60/g, '$1120');
const changes = 20;
/** Before the changes come the lists of monitors and of alert rules. */
const lists = 2;
/** Then one request for each change. */
const requests = lists + changes;

const apply = ['apply', '-f', 'wanted.yaml', '--prune', '--allow-deletes', '--yes'];

const state = async (session: Session<SessionServer>) => {
  const { stdout } = await session.uptime(['monitors', 'list', '--json']);
  const all = JSON.parse(stdout) as { key: string; interval: number }[];
  return all.map(({ key, interval }) => `${key} ${interval}`).toSorted();
};

const expected = [
  ...numbers(6).map((i) => `m${i} 120`),
  ...numbers(4, 6)
    .concat(numbers(8, 16))
    .map((i) => `m${i} 60`),
];

async function brokenApply(
  session: Session<SessionServer>,
  proxy: FaultProxy,
  { fault, at, lasting }: { fault: Fault; at: number; lasting: boolean },
): Promise<void> {
  const reset = ['apply', '-f', 'before.yaml', '--prune', '--allow-deletes', '--yes'];
  expect(await session.uptime(reset)).toMatchObject({ exit: 0 });

  proxy.break(fault, at, lasting);
  session.env['UPTIME_SITE_URL'] = proxy.url;
  const first = await session.uptime(apply);
  session.env['UPTIME_SITE_URL'] = daemon.url;
  // A fault that lasts ends it: before the first change nothing is made, later some of it.
  if (lasting && fault !== 'delay') expect(first.exit, first.stderr).toBeOneOf(at <= lists + 1 ? [1, 3] : [3]);
  if (at <= lists && first.exit !== 0) expect(first.exit).toBe(1);

  expect(await session.uptime(apply)).toMatchObject({ exit: 0 });
  expect(await state(session)).toEqual(expected.toSorted());
  const again = await session.uptime(apply);
  expect(again.stdout).toContain('Nothing to do: 18 unchanged.');
}

describe.concurrent.each(Object.entries(faults) as [Fault, string][])('%s: with a request that is %s', (fault) => {
  test.each([false, true])(
    'whichever it is, applying again ends in the wanted state (and all after it: %s)',
    { timeout: 120_000 },
    async (lasting) => {
      await using proxy = await openFaultProxy(daemon.url);
      const { apiKey } = await daemon.another(`faults-${fault}-${lasting}`);
      await using session = await openSession({ siteUrl: daemon.url, apiKey, fetch });
      await session.write('before.yaml', before);
      await session.write('wanted.yaml', wanted);
      for (const at of numbers(requests, 1)) await brokenApply(session, proxy, { fault, at, lasting });
    },
  );
});
