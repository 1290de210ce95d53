import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeServer } from '@uptime/sdk/testing';
import { databases } from '../../../../daemon/src/testing/databases.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openSession, type Session, type SessionServer } from '../../testing/session.ts';

const paths = ['monitors', 'notification-channels', 'alert-rules', 'status-pages', 'incidents'];

/** Returns a manifest with at least one object of each kind. */
const manifestOf = (name: string, host = 'a.example') => `managedBy: ${name}
monitors:
  - { key: ${name}-host, name: Host, type: ping, host: ${host}, paused: true }
  - { name: Job of ${name}, type: heartbeat }
channels:
  - { key: ${name}-ops, name: Ops, type: email, config: { address: ops@example.com } }
alertRules:
  - { key: ${name}-down, name: Down, monitors: [${name}-host], channels: [${name}-ops] }
statusPages:
  - { key: ${name}-page, name: Page, slug: ${name}, monitors: [${name}-host] }
maintenance:
  - { title: Move of ${name}, scheduledStart: 2090-01-01T00:00:00Z, scheduledEnd: 2090-01-02T00:00:00Z, monitors: [${name}-host] }
`;

const nothingOf = (name: string) =>
  `managedBy: ${name}\nmonitors: []\nchannels: []\nalertRules: []\nstatusPages: []\nmaintenance: []\n`;

async function on(server: SessionServer) {
  const session = await openSession(server);
  const uptime = async (line: string) => session.uptime(line.split(' '));
  const done = async (line: string) => {
    const ended = await uptime(line);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    return ended;
  };
  return { session, uptime, done, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

describe.each(databases)('two manifests on one project, on $name', (database) => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await createTestDaemon({ database });
  });
  afterAll(() => daemon.close());

  /**
   * Returns every object that a manifest manages, as the server returns it, but without `nextCheckAt`. This time of a
   * heartbeat changes if the daemon stalls.
   */
  const objectsOf = async (owner: string | null) => {
    const answers = await Promise.all(paths.map((path) => daemon.request('GET', `/api/${path}`)));
    const all = answers.flatMap(({ body }) => body as { managedBy: string | null; nextCheckAt?: string }[]);
    return all.filter(({ managedBy }) => managedBy === owner).map((object) => ({ ...object, nextCheckAt: null }));
  };

  test('each apply --prune deletes only objects of its own manifest, and both plans are empty afterwards', async () => {
    await using it = await on({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
    await it.session.write('a.yaml', manifestOf('a'));
    await it.session.write('b.yaml', manifestOf('b'));
    await it.done('monitors create --name By-hand --type heartbeat');
    await it.done('apply -f a.yaml --prune --yes');
    const [first, byHand] = [await objectsOf('a'), await objectsOf(null)];
    expect(first).toHaveLength(6);
    expect(byHand).toMatchObject([{ name: 'By-hand' }]);

    await it.done('apply -f b.yaml --prune --yes');
    expect(await objectsOf('a')).toEqual(first);
    expect(await objectsOf(null)).toEqual(byHand);
    for (const name of ['a', 'b']) await it.done(`diff -f ${name}.yaml --prune --exit-code`);

    await it.session.write('b.yaml', manifestOf('b', 'b.example'));
    await it.done('apply -f b.yaml --prune --yes');
    await it.session.write('b.yaml', nothingOf('b'));
    await it.done('apply -f b.yaml --prune --allow-deletes --yes');
    expect(await objectsOf('b')).toEqual([]);
    expect(await objectsOf('a')).toEqual(first);
    expect(await objectsOf(null)).toEqual(byHand);

    // A manifest without `managedBy` prunes only objects that no manifest manages.
    await it.session.write('c.yaml', nothingOf('c').replace('managedBy: c\n', ''));
    await it.done('apply -f c.yaml --prune --yes');
    expect(await objectsOf(null)).toEqual([]);
    expect(await objectsOf('a')).toEqual(first);
  });

  test('an export names the manifest that manages the objects, and applying the export changes nothing', async () => {
    await using it = await on({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
    const { stdout } = await it.done('export --managed-by a');
    expect(stdout).toContain('managedBy: a\nmonitors:\n');
    expect(stdout).toContain('  - key: a-host\n    name: Host\n    type: ping\n');
    await it.session.write('exported.yaml', stdout);
    await it.done('diff -f exported.yaml --prune --exit-code');
    await it.done('monitors create --name By-hand --type heartbeat');
    const { stderr } = await it.done('export');
    expect(stderr).toContain('different manifests manage these objects ("a", none)');
  });

  test('an object keeps its `managedBy` when the API changes other fields, and the API refuses an invalid `managedBy`', async () => {
    for (const path of paths) {
      const [object] = (await daemon.request('GET', `/api/${path}`)).body as { id: string; managedBy: string }[];
      expect(object).toMatchObject({ managedBy: 'a' });
      const at = `/api/${path}/${object!.id}`;
      const words = path === 'incidents' ? { title: 'Other' } : { name: 'Other' };
      expect(await daemon.request('PATCH', at, words)).toMatchObject({ status: 200, body: { managedBy: 'a' } });
      expect(await daemon.request('PATCH', at, { managedBy: 'acme/shop' })).toMatchObject({
        body: { managedBy: 'acme/shop', ...words },
      });
      expect(await daemon.request('PATCH', at, { managedBy: null })).toMatchObject({ body: { managedBy: null } });
      const refused = await daemon.request('PATCH', at, { managedBy: 'no blanks' });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'managedBy' }] } });
    }
  });
});

const one = (head: string) => `${head}monitors:\n  - { key: shop, name: Shop, type: heartbeat }\n`;

async function withShop() {
  const it = await on(createFakeServer());
  await it.session.write('web.yaml', one('managedBy: web\n'));
  await it.session.write('infra.yaml', one('managedBy: infra\n'));
  await it.session.write('none.yaml', one(''));
  await it.done('apply -f web.yaml --yes');
  return it;
}

test('apply refuses to change an object that another manifest manages, and the error names the line of the item', async () => {
  await using it = await withShop();
  const refused = await it.uptime('apply -f infra.yaml --yes');
  expect(refused.exit).toBe(2);
  expect(refused.stderr).toContain(
    'infra.yaml:3:12: the monitor "shop" on the server is managed by the manifest "web"; give this item another key and name, remove it, or add --take-over',
  );
  const nameless = await it.uptime('diff -f none.yaml');
  expect(nameless.stderr).toContain('write `managedBy: web` at the top if this is that manifest');
  await it.done('diff -f web.yaml --prune --exit-code');
});

test('--take-over makes the manifest the manager of an object; a manifest without a name leaves the object without a manager', async () => {
  await using it = await withShop();
  const plan = await it.done('apply -f infra.yaml --take-over --yes');
  expect(plan.stdout).toContain('~ update heartbeat "Shop" (shop)\n    managedBy: "web" → "infra"\n');
  await it.done('diff -f infra.yaml --exit-code');
  expect((await it.uptime('diff -f web.yaml')).exit).toBe(2);
  const released = await it.done('apply -f none.yaml --take-over --yes');
  expect(released.stdout).toContain('managedBy: "infra" → none');
  // No manifest manages this object now. So a manifest can manage it without --take-over.
  const adopted = await it.done('apply -f web.yaml --yes');
  expect(adopted.stdout).toContain('managedBy: none → "web"');
});

test('if several objects have the same name, apply changes the object that its manifest manages', async () => {
  await using it = await on(createFakeServer());
  for (const name of ['web', 'infra']) {
    await it.session.write(`${name}.yaml`, `managedBy: ${name}\nmonitors:\n  - { name: Shop, type: heartbeat }\n`);
  }
  await it.done('apply -f web.yaml --yes');
  expect((await it.uptime('apply -f infra.yaml --yes')).stderr).toContain('infra.yaml:3:13: the monitor "Shop"');
  await it.done('monitors create --name Shop --type heartbeat --managed-by infra');
  await it.done('diff -f infra.yaml --prune --exit-code');
  await it.done('diff -f web.yaml --prune --exit-code');
});

test('a saved plan becomes stale if another manifest takes over one of its objects', async () => {
  await using it = await withShop();
  await it.session.write('web.yaml', one('managedBy: web\n').replace('heartbeat', 'heartbeat, interval: 77'));
  await it.done('apply -f web.yaml --out plan.json');
  await it.done('monitors update shop --managed-by infra');
  const refused = await it.uptime('apply plan.json');
  expect(refused.exit).toBe(5);
  expect(refused.stderr).toContain('managed by the manifest "infra"');
});

test.each([
  ['managedBy: [a]\n', '1:12: `managedBy` must be text'],
  ['managedBy: no blanks\n', '1:12: `managedBy` must be 1 to 100 characters'],
  ['managedBy:\n', '1:11: `managedBy` must be text'],
  ['defaults: { monitors: { managedBy: a } }\n', '1:36: `managedBy` applies to a whole manifest'],
])('validate reports a fault of a manifest that begins with %j', async (head, fault) => {
  await using it = await on(createFakeServer());
  await it.session.write('monitors.yaml', one(head));
  const { exit, stdout } = await it.uptime('validate');
  expect(exit).toBe(2);
  expect(stdout).toContain(`monitors.yaml:${fault}`);
});

test('validate reports files of one manifest that differ in their `managedBy`', async () => {
  await using it = await on(createFakeServer());
  await it.session.write('monitors.yaml', 'include: more.yaml\nmanagedBy: ${REPO:-a}\nmonitors: []\n');
  await it.session.write('more.yaml', one('managedBy: b\n'));
  expect((await it.uptime('validate')).stdout).toContain(
    'more.yaml:1:12: `managedBy` is "a" at monitors.yaml:2; all files of a manifest must have the same name',
  );
  it.session.env['REPO'] = 'b';
  await it.done('validate');
});

/**
 * Creates a server that does not know `managedBy`: it refuses requests with this field, and its answers do not have the
 * field.
 */
function olderServer(): Session['server'] {
  const server = createFakeServer();
  return {
    ...server,
    async fetch(input, init) {
      const request = new Request(input, init);
      if ((await request.clone().text()).includes('managedBy')) {
        const errors = [{ path: 'managedBy', message: 'unknown field' }];
        return Response.json(
          { status: 400, code: 'invalid_request', detail: 'unknown field', errors },
          { status: 400 },
        );
      }
      const answer = await server.fetch(request);
      const text = (await answer.text()).replaceAll(/"managedBy":null,?/g, '');
      return new Response(text || null, { status: answer.status, headers: { 'content-type': 'application/json' } });
    },
  };
}

test('on a server that does not know `managedBy`, apply works, but refuses --prune', async () => {
  await using it = await on(olderServer());
  await it.session.write('web.yaml', one('managedBy: web\n'));
  await it.done('apply -f web.yaml --yes');
  const diff = await it.done('diff -f web.yaml --exit-code');
  expect(diff.stderr).toContain(
    'this server does not store `managedBy`, so other manifests may change the same objects',
  );
  const refused = await it.uptime('apply -f web.yaml --prune --yes');
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.stderr).toContain('--prune and a pull cannot tell which objects belong to this manifest');
});
