import { describe, expect, test } from 'vitest';
import { allKinds, kinds } from '../kinds/index.ts';
import { createSecretVariables } from '../manifest/secret-variables.ts';
import { validateManifests } from '../manifest/validate.ts';
import { writeManifest } from '../manifest/write.ts';
import { createModelServer } from '../testing/model-server.ts';
import { apply, asText, env, mail, move, planOf, read, team, type Lists } from '../testing/plan-of.ts';
import { planChanges } from './plan.ts';

const { channel, monitor, alertRule, statusPage, maintenanceWindow } = kinds;

describe('an apply of several kinds', () => {
  test('an apply creates targets before the objects that refer to them, and deletes in reverse order', async () => {
    const server = createModelServer();
    const created = await apply(team, server, { env });
    const order = [channel, channel, monitor, monitor, alertRule, statusPage, maintenanceWindow];
    expect(created.changes.map(({ kind }) => kind)).toEqual(order);
    expect(planOf(team, server, { env }).changes).toEqual([]);
    const nothing = { monitors: [], channels: [], alertRules: [], statusPages: [], maintenance: [] };
    const deleted = await apply(nothing, server, { prune: true });
    expect(deleted.changes.map(({ kind }) => kind.name)).toEqual(
      created.changes.map(({ kind }) => kind.name).toReversed(),
    );
  });

  test('--prune deletes only resources of kinds whose list is in the manifest', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const plan = planOf({ alertRules: [] }, server, { prune: true });
    expect(plan.changes).toMatchObject([{ action: 'delete', current: { name: 'Down' } }]);
  });

  test('a plan has a fault if an item refers to a resource that --prune would delete', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const without = { ...team, channels: [team.channels![0]!] };
    expect(() => planOf(without, server, { prune: true, env })).toThrow('"Room" is not in the manifest, so --prune');
    expect(planOf(without, server, { env }).changes).toEqual([]);
  });

  test('the fault of such a reference has the place of the reference in the manifest', async () => {
    const server = createModelServer();
    const monitors = team.monitors!.map((fields) => ({ ...fields, labels: { team: 'web' } }));
    await apply({ ...team, monitors: monitors.slice(0, 1), alertRules: [], statusPages: [] }, server, { env });
    const text = `monitors: []
channels: [{ key: ops, name: Ops, type: email, config: { address: ops@example.com } }]
alertRules:
  - name: New
    monitorsWith: { team: web }
    channels:
      - ops
      - ops
      - Room
`;
    const { items } = validateManifests([{ name: 'm.yaml', text }], {});
    const planned = planChanges(items, server.remotes(...allKinds), { prune: [monitor, channel] });
    expect(planned.ok ? [] : planned.faults.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '5: "shop" is not in the manifest, so --prune would delete it',
      '9: "Room" is not in the manifest, so --prune would delete it',
    ]);
  });

  test('a plan shows added and removed references, and a changed order only for the monitors of a status page', async () => {
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

  test('an apply updates references to a replaced monitor, even in resources that the manifest lacks', async () => {
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

  test('maintenance windows match by their title and start, in any time zone, and a different end is a change', async () => {
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

  test('maintenance windows that are over are neither created nor deleted', async () => {
    const server = createModelServer();
    const lists = { maintenance: [{ ...move, monitors: ['gone'] }] };
    expect(planOf(lists, server, { now: after! })).toMatchObject({ changes: [], unchanged: [], over: [{}] });
    await apply({ maintenance: [move] }, server, { now: before! });
    expect(planOf({ maintenance: [move] }, server, { now: after! })).toMatchObject({ changes: [], over: [{}] });
    expect(planOf({ maintenance: [] }, server, { now: after!, prune: true }).changes).toEqual([]);
  });

  test('maintenance windows that were ended early are not started again', async () => {
    const server = createModelServer();
    await apply({ maintenance: [move] }, server, { now: before! });
    const items = read({ maintenance: [{ ...move, scheduledEnd: '2030-05-01T09:00:00Z' }] }).items;
    const ended = server.list(maintenanceWindow).map((one) => ({ ...one, resolvedAt: '2030-05-01T02:30:00Z' }));
    const planned = planChanges(items, new Map([[maintenanceWindow, ended]]), { now: during! });
    expect(planned).toMatchObject({ ok: true, plan: { changes: [], over: [{}] } });
  });

  test('maintenance windows can be pruned only before they begin', async () => {
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

  test('a secret is never shown in a plan that creates or changes a channel', async () => {
    const server = createModelServer();
    const texts = [
      asText(await apply(hook('first-secret'), server)),
      asText(await apply(hook('other-secret'), server)),
    ];
    expect(texts.join('\n')).not.toMatch(/first|other|one-one|••••/);
    expect(texts[1]).toContain('    config.secret: (changed, not shown)\n');
  });

  test('a secret is compared by digest with the secret on the server', async () => {
    const server = createModelServer();
    await apply(hook('first-secret'), server);
    const [change] = planOf(hook('first-secret', 'PUT'), server).changes;
    expect(change).toMatchObject({ fields: [{ at: ['config', 'method'], from: 'POST', to: 'PUT' }] });
    // The visible end of both secrets is the same, so only the digest shows the difference.
    expect(planOf(hook('third-secret'), server).changes).toHaveLength(1);
    await apply({ channels: [{ key: 'hook', name: 'Hook', ...mail }] }, server);
    expect(server.list(channel)).toMatchObject([{ type: 'email', config: mail.config }]);
  });

  test('a secret is sent again if the destination of its channel changes', async () => {
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

  test('a secret causes no change if the server sends no digest', async () => {
    const server = createModelServer();
    await apply(hook('first-secret'), server);
    const withoutDigest = server.list(channel).map((remote) => ({ ...remote, configDigest: undefined }));
    const planned = planChanges(read(hook('third-secret')).items, new Map([[channel, withoutDigest]]));
    expect(planned).toMatchObject({ ok: true, plan: { changes: [] } });
    expect(channel.cannotCompare?.(withoutDigest)).toContain('does not show whether the secrets');
    expect(channel.cannotCompare?.(server.list(channel))).toBeNull();
  });
});

test('an apply of an exported manifest changes nothing if its variables are set', async () => {
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
