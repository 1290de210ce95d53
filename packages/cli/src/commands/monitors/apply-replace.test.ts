import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlans } from '../../../../daemon/src/testing/billing.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openSession, type Session, type SessionServer } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ env: { UPTIME_BILLING: 'sandbox' } });
  await createPlans(daemon, [{ name: 'Free', monitors: 3, checkInterval: 60, regions: 1, price: 0 }]);
});
afterAll(() => daemon.close());

let people = 0;
async function open() {
  const { apiKey } = await daemon.another(`person-${++people}`);
  return openSession<SessionServer>({ siteUrl: daemon.url, apiKey, fetch });
}

interface Shown {
  id: string;
  type: string;
  key: string | null;
}

async function read<T = Shown>(session: Session<SessionServer>, noun = 'monitors'): Promise<T[]> {
  return JSON.parse((await session.uptime([noun, 'list', '--json'])).stdout) as T[];
}

const heartbeat = (key: string) => `  - { ${key}name: Job, type: heartbeat, interval: 5 }\n`;
const ping = (key: string, interval = 60) =>
  `  - { ${key}name: Job, type: ping, host: a.example, interval: ${interval}, paused: true }\n`;
const others = (count: number, type: string) =>
  Array.from({ length: count }, (_, i) => `  - { name: m${i}, type: ${type}, paused: true }\n`).join('');

async function apply(session: Session<SessionServer>, monitors: string, options: { fetch?: typeof fetch } = {}) {
  await session.write('m.yaml', `monitors:\n${monitors}`);
  return session.uptime(['apply', '-f', 'm.yaml', '--yes'], options);
}

/**
 * Creates a fetch that fails for requests with one method, before or after they reach the server. The first `sound`
 * requests with this method succeed.
 */
function breaking(method: string, when: 'before' | 'after', sound = 0): typeof fetch {
  let seen = 0;
  return async (input, init) => {
    if (init?.method !== method || ++seen <= sound) return fetch(input, init);
    if (when === 'after') await fetch(input, init);
    throw new TypeError('fetch failed');
  };
}

/** Creates a fetch that refuses every creation, like a server whose limits changed after the plan was made. */
const refusing =
  (inner: typeof fetch = fetch): typeof fetch =>
  async (input, init) =>
    init?.method === 'POST'
      ? Response.json({ code: 'plan_limit_exceeded', status: 402, detail: 'There is no room.' }, { status: 402 })
      : inner(input, init);

const keys = [
  ['with a key', 'key: job, '],
  ['without a key', ''],
] as const;

describe.each(keys)('the replacement of a monitor %s', (_name, key) => {
  test('a replacement keeps the old monitor if the server refuses the new monitor, and a message says so', async () => {
    await using session = await open();
    await apply(session, heartbeat(key));
    const before = await read(session);
    const { exit, stderr } = await apply(session, ping(key), { fetch: refusing() });
    expect(exit, stderr).toBe(1);
    expect(stderr).toContain('There is no room');
    expect(stderr).toContain('; the old monitor is kept: apply deletes it only after it has created the new one\n');
    expect(stderr).toContain('\n0 of 1 changes were made.\n');
    expect(await read(session)).toMatchObject(before.map(({ id, type, key: kept }) => ({ id, type, key: kept })));
    expect(await apply(session, ping(key))).toMatchObject({ exit: 0 });
    expect(await read(session)).toMatchObject([{ type: 'ping' }]);
  });

  // A message says which part of the replacement was made, and the next apply continues from there.
  const broken: [method: string, when: 'before' | 'after', message: RegExp][] = [
    [
      'POST',
      'before',
      key ? /the old monitor is kept/ : /it is not known whether the change was made; the old monitor is kept/,
    ],
    [
      'POST',
      'after',
      key
        ? /the old monitor, mon_\w+, is kept/
        : /it is not known whether the change was made; the old monitor is kept/,
    ],
    ['DELETE', 'before', /the new monitor was created, but the old one, mon_\w+, may still exist/],
    ['DELETE', 'after', /the new monitor was created, but the old one, mon_\w+, may still exist/],
  ];
  test.each(broken)(
    'if the %s request of a replacement fails %s it reaches the server, a message says how far apply got, and the next apply continues',
    async (method, when, message) => {
      await using session = await open();
      await apply(session, heartbeat(key));
      const { exit, stderr } = await apply(session, ping(key), { fetch: breaking(method, when) });
      expect(exit, stderr).toBe(3);
      expect(stderr).toContain('replace ping "Job"');
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(
        /^0 of 1 changes were made(, and 1 in part|; 1 may have been made: the server did not confirm that)\.$/m,
      );
      expect(await read(session)).not.toHaveLength(0);
      expect(await apply(session, ping(key))).toMatchObject({ exit: 0 });
      expect(await read(session)).toContainEqual(expect.objectContaining({ type: 'ping', key: key ? 'job' : null }));
      expect((await apply(session, ping(key))).stdout).toContain('Nothing to do: 1 unchanged.');
    },
  );
});

test('if a failed replacement leaves the old monitor without its key, a message says so, and the next apply finds the monitor by name', async () => {
  await using session = await open();
  await apply(session, heartbeat('key: job, '));
  const refused = await apply(session, ping('key: job, '), { fetch: refusing(breaking('PATCH', 'before', 1)) });
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toMatch(
    /replace ping "Job" \(job\): the old monitor, mon_\w+, is kept, but may have lost its key/,
  );
  expect(refused.stderr).toContain('0 of 1 changes were made, and 1 in part.\n');
  expect(await apply(session, ping('key: job, '))).toMatchObject({ exit: 0 });
  expect(await read(session)).toMatchObject([{ type: 'ping', key: 'job' }]);
});

test('apply needs room for only one more monitor to replace several monitors; without that room, it changes nothing', async () => {
  await using session = await open();
  await apply(session, others(2, 'heartbeat'));
  const pings = others(2, 'ping, host: a.example');
  expect(await apply(session, pings)).toMatchObject({ exit: 0 });
  expect((await read(session)).map(({ type }) => type)).toEqual(['ping', 'ping']);
  await apply(session, others(3, 'ping, host: a.example'));
  const before = await read(session);
  const full = await apply(session, others(3, 'heartbeat'));
  expect(full.exit).toBe(1);
  expect(full.stderr).toContain(
    'the plan Free allows 3 monitors an account; 3 are there, and this apply adds 1, because the new one is created before',
  );
  expect((await read(session)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('after a replacement, even a rule outside of the manifest refers to the new monitor; if the server refuses the replacement, the rule still refers to the old monitor', async () => {
  await using session = await open();
  await apply(session, heartbeat('key: job, '));
  const rule = 'channels:\n  - { name: Mail, type: email, config: { address: a@example.com } }\n';
  const named = `${rule}alertRules:\n  - { name: Down, monitors: [job], channels: [Mail] }\n`;
  expect(await apply(session, heartbeat('key: job, ') + named)).toMatchObject({ exit: 0 });
  const names = async () => {
    const [monitors, rules] = [await read(session), await read<{ monitorIds: string[] }>(session, 'rules')];
    return rules.map(({ monitorIds }) => monitorIds.map((one) => monitors.find(({ id }) => id === one)?.type));
  };
  expect(await apply(session, ping('key: job, ', 5))).toMatchObject({ exit: 1 });
  expect(await names()).toEqual([['heartbeat']]);
  expect(await apply(session, ping('key: job, '))).toMatchObject({ exit: 0 });
  expect(await names()).toEqual([['ping']]);
});

test('if all answers to a creation are lost, apply reports that the change may have been made, not that it failed', async () => {
  await using session = await open();
  const { exit, stderr } = await apply(session, ping(''), { fetch: breaking('POST', 'after') });
  expect(exit).toBe(3);
  expect(stderr).toContain('; it is not known whether the change was made\n');
  expect(stderr).toContain('\n0 of 1 changes were made; 1 may have been made: the server did not confirm that.\n');
  expect((await apply(session, ping(''))).stdout).toContain('Nothing to do: 1 unchanged.');
});
