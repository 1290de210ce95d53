import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSession } from '../testing/session.ts';

const root = `# what we watch
include: teams/*.yaml # the teams
defaults:
  monitors: { interval: 30, labels: { tier: "1" } } # for all

monitors:
  # the shop
  - &shop
    key: shop
    name: Shop # shown to people
    type: http
    url: \${SHOP_URL:-https://shop.example}
    headers: { Accept: text/html }
  - { key: cart, name: Cart, type: tcp, host: cart.example, port: 80 } # by hand

  # goes away
  - key: old
    name: Old
    type: heartbeat # weekly
`;
const team = `monitors:
  - forEach: [a, b] # two
    key: job-\${each}
    name: Job \${each}
    type: heartbeat
  # one of the team
  - key: api
    name: API
    type: ping
    host: api.example
    overrides: { production: { interval: 10 } }
`;

const commentsOf = (text: string) => [...text.matchAll(/#[^\n"]*/g)].map(([comment]) => comment.trim()).toSorted();

async function open() {
  const session = await openSession();
  await mkdir(join(session.cwd, 'teams'));
  await session.write('monitors.yaml', root);
  await session.write('teams/a.yaml', team);
  expect(await session.uptime(['apply', '--yes', '--env', 'production'])).toMatchObject({ exit: 0 });
  const read = (name: string) => readFile(join(session.cwd, name), 'utf8');
  return {
    session,
    read,
    uptime: (line: string) => session.uptime(line.split(' ')),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

test('a pull changes nothing if nothing was edited on the server', async () => {
  await using it = await open();
  expect(await it.uptime('pull --env production')).toMatchObject({
    exit: 0,
    stdout: 'Nothing to do: the manifest describes the server.\n',
  });
  expect(await it.read('monitors.yaml')).toBe(root);
});

const edits = [
  'update shop --name Store',
  'update shop --interval 77',
  'update shop --expected-status 200,3xx',
  'update shop --label team=x',
  'update shop --body-contains $${x}',
  'update cart --port 81',
  'update cart --description first',
  'update cart --label tier=2',
  'update api --host b.example',
  'update api --interval 44',
  'update api --retries 2',
  'delete old --yes',
];

test('a pull writes random edits on the server into the manifest: the next diff is empty, and every comment is kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(edits, { minLength: 1 }), async (some) => {
      await using it = await open();
      for (const edit of some) {
        const done = await it.uptime(`monitors ${edit}`);
        expect(done, done.stderr).toMatchObject({ exit: 0 });
      }
      const pulled = await it.uptime('pull --env production');
      expect(pulled, pulled.stderr).toMatchObject({ exit: 0 });
      expect(pulled.stderr).not.toContain('left:');
      const diff = await it.uptime('diff --exit-code --env production');
      expect(diff, `${diff.stdout}${await it.read('monitors.yaml')}`).toMatchObject({ exit: 0 });
      const [after, inTeam] = [await it.read('monitors.yaml'), await it.read('teams/a.yaml')];
      expect(commentsOf(after)).toEqual(commentsOf(root));
      expect(commentsOf(inTeam)).toEqual(commentsOf(team));
      expect(after).toContain('${SHOP_URL:-https://shop.example}');
      expect(after).toContain('&shop');
    }),
    { numRuns: 12 },
  );
});

test('a pull explains edits that it cannot write into a file, and changes nothing', async () => {
  await using it = await open();
  for (const edit of ['update job-a --interval 99', 'update shop --url https://b.example'])
    expect(await it.uptime(`monitors ${edit}`)).toMatchObject({ exit: 0 });
  const { exit, stderr } = await it.uptime('pull --env production');
  expect(exit).toBe(3);
  expect(stderr).toContain('a `forEach` makes this item together with others');
  expect(stderr).toContain('monitors.yaml:12:10: http "Shop" (shop): `url`: the value comes from a variable');
  expect(await it.read('monitors.yaml')).toBe(root);
  expect(await it.read('teams/a.yaml')).toBe(team);
});

test('a pull from the wrong project does not empty the manifest', async () => {
  await using session = await openSession();
  const items = Array.from({ length: 10 }, (_, i) => `  - { name: m${i}, type: heartbeat }\n`).join('');
  await session.write('monitors.yaml', `monitors:\n${items}`);
  const { exit, stderr } = await session.uptime(['pull']);
  expect(exit).toBe(2);
  expect(stderr).toContain('the server lacks 10 of 10 items, and pull would remove them; nothing was written');
  expect(await readFile(join(session.cwd, 'monitors.yaml'), 'utf8')).toBe(`monitors:\n${items}`);
});

const shared = `managedBy: a
# the monitors
monitors:
  - &shop
    key: shop
    name: Shop
    type: heartbeat
  - { <<: *shop, key: twin, name: Twin }
defaults: { monitors: { interval: 30, labels: { tier: "1" } } }
channels: [] # nobody yet
alertRules:
  # wakes people
  - { name: Down, monitors: [Shop], channels: [] }
`;

async function openShared() {
  const session = await openSession();
  await session.write('monitors.yaml', shared);
  const uptime = async (line: string) => session.uptime(line.split(' '));
  const done = async (line: string) => {
    const ended = await uptime(line);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    return ended;
  };
  await done('apply --yes');
  const read = () => readFile(join(session.cwd, 'monitors.yaml'), 'utf8');
  return { session, uptime, done, read, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

test('an object that only the server has becomes an item if this manifest manages the object', async () => {
  await using it = await openShared();
  await it.done('monitors create --managed-by a --key job --name Job --type heartbeat --interval 60 --label team=x');
  await it.done(
    'channels create --managed-by a --key ops --name Ops --type slack --webhook-url https://a.example/hook',
  );
  await it.done('monitors create --managed-by b --key other --name Other --type heartbeat');
  await it.done('monitors create --name By-hand --type heartbeat');
  const pulled = await it.done('pull');
  expect(pulled.stderr).toContain('added heartbeat "Job" (job): only the server had it');
  expect(pulled.stderr).toContain('secrets are left out: set OPS_WEBHOOK_URL before you apply this');
  const text = await it.read();
  expect(text).toContain(
    '  - key: job\n    name: Job\n    type: heartbeat\n    labels:\n      team: x\n      tier: null\n    interval: 60\n',
  );
  expect(text).toContain('      webhookUrl: "${OPS_WEBHOOK_URL}"');
  expect(text).toContain('# nobody yet');
  expect(text).not.toContain('Other');
  expect(text).not.toContain('By-hand');
  it.session.env['OPS_WEBHOOK_URL'] = 'https://a.example/hook';
  await it.done('diff --prune --exit-code');
  expect((await it.done('pull')).stdout).toBe('Nothing to do: the manifest describes the server.\n');
});

test('--no-new leaves out objects that only the server has', async () => {
  await using it = await openShared();
  await it.done('monitors create --managed-by a --name Job --type heartbeat');
  await it.done('pull --no-new');
  expect(await it.read()).toBe(shared);
});

test('if an object was renamed, a pull changes the name in every reference', async () => {
  await using it = await openShared();
  await it.done('monitors update shop --name Store');
  await it.done('pull');
  expect(await it.read()).toContain('{ name: Down, monitors: [ shop ], channels: [] }');
  await it.done('diff --prune --exit-code');
});

test('a pull does not remove an item whose anchor other items use, and a message says why', async () => {
  await using it = await openShared();
  await it.done('monitors delete shop --yes');
  const { exit, stderr } = await it.uptime('pull');
  expect(exit).toBe(3);
  expect(stderr).toContain('other parts of the file use an anchor in this item, so remove the item by hand');
  expect(await it.read()).toContain('<<: *shop');
});

test('a pull does not add an object if an item without a key already has its name', async () => {
  await using it = await openShared();
  await it.done('monitors create --managed-by a --key second --name Shop --type heartbeat');
  const { exit, stderr } = await it.uptime('pull');
  expect(exit).toBe(3);
  expect(stderr).toContain('the manifest refers to another monitor by this name; refer to that monitor by its key');
  expect(await it.read()).toBe(shared);
});
