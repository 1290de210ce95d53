import * as fc from 'fast-check';
import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import { allKinds, kinds } from '../kinds/index.ts';
import { type Fields, fieldsOf, identityOf, type Kind } from '../kinds/kind.ts';
import { createSecretVariables } from '../manifest/secret-variables.ts';
import { validateManifests } from '../manifest/validate.ts';
import { writeManifest } from '../manifest/write.ts';
import { createModelServer, type ModelServer } from '../testing/model-server.ts';
import { applyPlan } from './apply.ts';
import type { Plan } from './change.ts';
import { planChanges } from './plan.ts';
import { renderJson } from './render-json.ts';
import { renderText } from './render-text.ts';

const { channel, monitor, alertRule, statusPage, maintenanceWindow } = kinds;
type Lists = Partial<Record<Kind['list'], readonly Fields[]>>;

/** Reads lists as a manifest. JSON is valid YAML. */
function read(lists: Lists, env: Record<string, string> = {}) {
  const manifest = validateManifests([{ name: 'm.yaml', text: JSON.stringify(lists) }], env);
  expect(manifest.faults).toEqual([]);
  return manifest;
}

/** Makes the plan of a manifest for a server. */
function planOf(lists: Lists, server: ModelServer, { prune = false, env = {}, now = 0 } = {}): Plan {
  const manifest = read(lists, env);
  const listed = allKinds.filter(({ list }) => manifest.lists.has(list));
  const planned = planChanges(manifest.items, server.remotes(...allKinds), { prune: prune ? listed : [], now });
  if (!planned.ok) throw new Error(planned.faults.map(({ message }) => message).join('\n'));
  return planned.plan;
}

async function apply(lists: Lists, server: ModelServer, options: Parameters<typeof planOf>[2] = {}): Promise<Plan> {
  const plan = planOf(lists, server, options);
  const { failed } = await applyPlan(plan, server.writerOf, { concurrency: 3 });
  expect(failed).toEqual([]);
  return plan;
}

const asText = (plan: Plan): string =>
  `${renderText(plan, new Chalk({ level: 0 }))}\n${JSON.stringify(renderJson(plan))}`;

const http = { type: 'http', url: 'https://a.example/' };
const mail = { type: 'email', config: { address: 'ops@example.com' } };
const move = {
  title: 'Move',
  message: 'The database moves.',
  scheduledStart: '2030-05-01T02:00:00Z',
  scheduledEnd: '2030-05-01T04:00:00Z',
};
const team: Lists = {
  monitors: [
    { ...http, key: 'shop', name: 'Shop' },
    { type: 'ping', name: 'Host', host: 'a.example' },
  ],
  channels: [
    { ...mail, key: 'ops', name: 'Ops' },
    { type: 'slack', name: 'Room', config: { webhookUrl: 'https://hooks.example.com/${TOKEN}' } },
  ],
  alertRules: [{ key: 'down', name: 'Down', monitors: ['Host', 'shop'], channels: ['Room', 'ops'] }],
  statusPages: [{ name: 'Status', slug: 'status', monitors: ['Host', 'shop'] }],
  maintenance: [{ ...move, monitors: ['shop'] }],
};
const env = { TOKEN: 'hush-hush-hush' };

describe('an apply of several kinds', () => {
  test('creates targets before the objects that refer to them, and deletes in reverse order', async () => {
    const server = createModelServer();
    const made = await apply(team, server, { env });
    const order = [channel, channel, monitor, monitor, alertRule, statusPage, maintenanceWindow];
    expect(made.changes.map(({ kind }) => kind)).toEqual(order);
    expect(planOf(team, server, { env }).changes).toEqual([]);
    const nothing = { monitors: [], channels: [], alertRules: [], statusPages: [], maintenance: [] };
    const deleted = await apply(nothing, server, { prune: true });
    expect(deleted.changes.map(({ kind }) => kind.name)).toEqual(
      made.changes.map(({ kind }) => kind.name).toReversed(),
    );
  });

  test('prunes only kinds whose list is in the manifest', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const plan = planOf({ alertRules: [] }, server, { prune: true });
    expect(plan.changes).toMatchObject([{ action: 'delete', current: { name: 'Down' } }]);
  });

  test('refuses a reference to a resource that it would prune', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const without = { ...team, channels: [team.channels![0]!] };
    expect(() => planOf(without, server, { prune: true, env })).toThrow('"Room" is not in the manifest, so --prune');
    expect(planOf(without, server, { env }).changes).toEqual([]);
  });

  test('shows added and removed references; only a page has an order', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const turned = {
      ...team,
      alertRules: [{ ...team.alertRules![0], monitors: ['shop', 'Host'], channels: ['ops'] }],
      statusPages: [{ ...team.statusPages![0], monitors: ['shop', 'Host'] }],
    };
    const text = asText(await apply(turned, server, { env }));
    expect(text).toContain('~ update alert rule "Down" (down)\n    channels: - "Room"\n');
    expect(text).toContain('~ update status page "Status"\n    monitors: in the order ["shop","Host"]\n');
    expect(server.list(statusPage)).toMatchObject([{ monitorIds: server.list(monitor).map(({ id }) => id) }]);
    expect(planOf(turned, server, { env }).changes).toEqual([]);
  });

  test('updates references to a replaced monitor, also in resources that the manifest lacks', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const { monitors } = team;
    const retyped = [{ type: 'tcp', key: 'shop', name: 'Shop', host: 'a.example', port: 1 }, monitors![1]!];
    const plan = await apply({ monitors: retyped }, server);
    expect(plan.changes.map(({ action, kind }) => `${action} ${kind.name}`)).toEqual([
      'replace monitor',
      'update alertRule',
      'update statusPage',
      'update maintenanceWindow',
    ]);
    expect(asText(plan)).toContain('monitors: ["Host","shop"], newly created');
    expect(planOf({ ...team, monitors: retyped }, server, { env }).changes).toEqual([]);
  });
});

describe('maintenance windows', () => {
  const [before, during, after] = ['01:00', '03:00', '05:00'].map((time) => Date.parse(`2030-05-01T${time}:00Z`));

  test('match by title and start, in any time zone; another end is a change', async () => {
    const server = createModelServer();
    await apply({ maintenance: [move] }, server, { now: before! });
    const inBerlin = { ...move, message: 'Told already.', scheduledStart: '2030-05-01T04:00:00+02:00' };
    expect(planOf({ maintenance: [inBerlin] }, server, { now: before! }).changes).toEqual([]);
    const longer = { ...inBerlin, scheduledEnd: '2030-05-01T07:00:00+02:00' };
    const plan = await apply({ maintenance: [longer] }, server, { now: during! });
    expect(asText(plan)).toContain(
      '~ update maintenance window "Move"\n    scheduledEnd: "2030-05-01T04:00:00Z" → "2030-05-01T07:00:00+02:00"\n',
    );
    const later = { ...move, scheduledStart: '2030-05-01T02:30:00Z' };
    expect(planOf({ maintenance: [later] }, server, { now: before! }).changes).toMatchObject([{ action: 'create' }]);
  });

  test('that are over are neither created again nor deleted, whether the server has them or not', async () => {
    const server = createModelServer();
    const lists = { maintenance: [{ ...move, monitors: ['gone'] }] };
    expect(planOf(lists, server, { now: after! })).toMatchObject({ changes: [], unchanged: [], over: [{}] });
    await apply({ maintenance: [move] }, server, { now: before! });
    expect(planOf({ maintenance: [move] }, server, { now: after! })).toMatchObject({ changes: [], over: [{}] });
    expect(planOf({ maintenance: [] }, server, { now: after!, prune: true }).changes).toEqual([]);
  });

  test('that were ended early stay ended', async () => {
    const server = createModelServer();
    await apply({ maintenance: [move] }, server, { now: before! });
    const items = read({ maintenance: [{ ...move, scheduledEnd: '2030-05-01T09:00:00Z' }] }).items;
    const ended = server.list(maintenanceWindow).map((one) => ({ ...one, resolvedAt: '2030-05-01T02:30:00Z' }));
    const planned = planChanges(items, new Map([[maintenanceWindow, ended]]), { now: during! });
    expect(planned).toMatchObject({ ok: true, plan: { changes: [], over: [{}] } });
  });

  test('are pruned before they begin, and not after', async () => {
    const server = createModelServer();
    await apply({ maintenance: [move] }, server, { now: before! });
    expect(planOf({ maintenance: [] }, server, { now: during!, prune: true }).changes).toEqual([]);
    const plan = planOf({ maintenance: [] }, server, { now: before!, prune: true });
    expect(asText(plan)).toContain('- delete maintenance window "Move"\n');
  });
});

describe('a secret', () => {
  const hook = (secret: string, method = 'POST'): Lists => ({
    channels: [
      {
        key: 'hook',
        name: 'Hook',
        type: 'webhook',
        config: { url: 'https://a.example/', method, headers: { 'X-A': 'one-one' }, secret },
      },
    ],
  });

  test('is never shown in a plan, neither of a new channel nor of a changed one', async () => {
    const server = createModelServer();
    const texts = [
      asText(await apply(hook('first-secret'), server)),
      asText(await apply(hook('other-secret'), server)),
    ];
    expect(texts.join('\n')).not.toMatch(/first|other|one-one|••••/);
    expect(texts[1]).toContain('    config.secret: (changed, not shown)\n');
  });

  test('is compared by the digest', async () => {
    const server = createModelServer();
    await apply(hook('first-secret'), server);
    const [change] = planOf(hook('first-secret', 'PUT'), server).changes;
    expect(change).toMatchObject({ fields: [{ at: ['config', 'method'], from: 'POST', to: 'PUT' }] });
    // The visible end of the secret is the same.
    expect(planOf(hook('third-secret'), server).changes).toHaveLength(1);
    await apply({ channels: [{ key: 'hook', name: 'Hook', ...mail }] }, server);
    expect(server.list(channel)).toMatchObject([{ type: 'email', config: mail.config }]);
  });

  test('is sent again if its destination changes', async () => {
    const server = createModelServer();
    const pages = (region: string): Lists => ({
      channels: [{ key: 'pages', name: 'Pages', type: 'opsgenie', config: { apiKey: 'hush-hush', region } }],
    });
    await apply(pages('us'), server);
    const [change] = planOf(pages('eu'), server).changes;
    expect(change).toMatchObject({
      fields: [
        { at: ['config', 'apiKey'], to: 'hush-hush', secret: true },
        { at: ['config', 'region'], from: 'us', to: 'eu' },
      ],
    });
  });

  test('is not changed if the server sends no digest', async () => {
    const server = createModelServer();
    await apply(hook('first-secret'), server);
    const untold = server.list(channel).map((remote) => ({ ...remote, configDigest: undefined }));
    const planned = planChanges(read(hook('third-secret')).items, new Map([[channel, untold]]));
    expect(planned).toMatchObject({ ok: true, plan: { changes: [] } });
    expect(channel.blindness?.(untold)).toContain('does not show whether the secrets');
    expect(channel.blindness?.(server.list(channel))).toBeNull();
  });
});

test('an exported manifest applies without a change once its variables are set', async () => {
  const server = createModelServer();
  await apply(team, server, { env });
  const variables = createSecretVariables();
  const text = writeManifest(server.remotes(...allKinds), { siteUrl: 'https://uptime.example.com', variables });
  expect(text).not.toContain('hush');
  expect(variables.names()).toEqual(['ROOM_WEBHOOK_URL']);
  const secrets = { ROOM_WEBHOOK_URL: `https://hooks.example.com/${env.TOKEN}` };
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], secrets);
  expect(faults).toEqual([]);
  expect(planChanges(items, server.remotes(...allKinds))).toMatchObject({ ok: true, plan: { changes: [] } });
});

const letters = ['a', 'b', 'c', 'd'];
const some = fc.subarray(letters);
const items = (kind: Kind, fields: fc.Arbitrary<Fields>) =>
  fc
    .tuple(
      fc.subarray(letters, { minLength: kind === monitor || kind === channel ? 1 : 0 }),
      fc.array(fields, { minLength: 4, maxLength: 4 }),
    )
    .map(([keys, all]) => keys.map((key, i) => ({ ...all[i], key, name: key })));
const within = (names: readonly string[], all: readonly Fields[]) =>
  names.filter((name) => all.some(({ key }) => key === name));

const manifests = fc
  .record({
    monitors: items(monitor, fc.constantFrom<Fields>(http, { type: 'tcp', host: 'a', port: 1 })),
    channels: items(
      channel,
      fc.constantFrom<Fields>(
        mail,
        ...['x', 'y'].map((end) => ({ type: 'slack', config: { webhookUrl: `https://${end}.example/` } })),
      ),
    ),
    alertRules: items(alertRule, fc.record({ monitors: some, channels: some })),
    statusPages: items(statusPage, fc.record({ monitors: some })),
    maintenance: fc.uniqueArray(
      fc.record({
        title: fc.constantFrom('a', 'b'),
        scheduledStart: fc.constantFrom('2030-01-01T00:00:00Z', '2030-02-01T00:00:00Z'),
        scheduledEnd: fc.constantFrom('2030-03-01T00:00:00Z', '2030-04-01T00:00:00Z'),
        monitors: some,
      }),
      { selector: ({ title, scheduledStart }) => title + scheduledStart },
    ),
  })
  .map(({ monitors, channels, alertRules, statusPages, maintenance }) => ({
    monitors,
    channels,
    maintenance: maintenance.map((window) => ({ ...window, monitors: within(window.monitors, monitors) })),
    alertRules: alertRules.map((rule) => ({
      ...rule,
      monitors: within((rule as Fields)['monitors'] as string[], monitors),
      channels: within((rule as Fields)['channels'] as string[], channels),
    })),
    statusPages: statusPages.map((page) => ({
      ...page,
      slug: page.key,
      monitors: within((page as Fields)['monitors'] as string[], monitors),
    })),
  }));

test('applying twice leads from any manifest to any other, even if a call fails', async () => {
  await fc.assert(
    fc.asyncProperty(manifests, manifests, fc.nat(12), async (first, second, failing) => {
      const server = createModelServer();
      await apply(first, server);
      let calls = 0;
      const flaky = (kind: Kind) => {
        const sound = server.writerOf(kind);
        const cut =
          <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
          (...args: A): Promise<R> =>
            calls++ === failing ? Promise.reject(new Error('cut')) : call(...args);
        return { create: cut(sound.create), update: cut(sound.update), delete: cut(sound.delete) };
      };
      await applyPlan(planOf(second, server, { prune: true }), flaky, { concurrency: 2 });
      await apply(second, server, { prune: true });
      expect(planOf(second, server, { prune: true }).changes).toEqual([]);
      for (const kind of allKinds) {
        const identities = (all: readonly Fields[]) =>
          all.map((one) => identityOf(kind, { name: one['title'], ...one }));
        const wanted: readonly Fields[] = second[kind.list];
        expect(identities(server.list(kind).map(fieldsOf)).toSorted()).toEqual(identities(wanted).toSorted());
      }
    }),
    { numRuns: 300 },
  );
});
