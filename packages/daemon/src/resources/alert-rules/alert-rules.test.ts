import { describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { createAlertRulesWorld, type Shown } from '../../testing/alert-rules-world.ts';

describe.each(databases)('alert rules on $name', (database) => {
  const world = createAlertRulesWorld(database);
  const { made, channel, monitor, rule, patch, round, alertsOf } = world;

  test('creating a rule returns every field with its default, and each list of ids in the given order without duplicates', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const created = await rule({ monitorIds: [two, one, two], channelIds: world.channelIds.toReversed() });
    expect(created).toMatchObject({
      key: null,
      name: 'r',
      monitorIds: [two, one],
      channelIds: world.channelIds.toReversed(),
      trigger: 'monitor_down',
      consecutiveFailures: 1,
      notifyOnRecovery: true,
      reminderInterval: null,
      enabled: true,
    });
    expect(created.id).toMatch(/^rul_/);
    expect(((await world.daemon.request('GET', '/api/alert-rules')).body as Shown[]).at(-1)).toEqual(created);
  });

  test('if a new rule has unknown ids or ids of other projects, the error names each id with its position in the list', async () => {
    const someone = await world.daemon.another(`rules-${database.name}`);
    const theirs = { type: 'heartbeat', name: 'theirs' };
    const foreign = (await world.daemon.request('POST', '/api/monitors', theirs, { apiKey: someone.apiKey }))
      .body as Shown;
    const ids = [await monitor(), 'mon_nobody', foreign.id, 'no\0id', world.channelIds[0]!];
    const body = { name: 'r', monitorIds: ids, channelIds: ['chn_nobody'] };
    const answer = await world.daemon.request('POST', '/api/alert-rules', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const { errors } = answer.body as { errors: { path: string; message: string }[] };
    expect(errors.map(({ path }) => path)).toEqual([
      'monitorIds.1',
      'monitorIds.2',
      'monitorIds.3',
      'monitorIds.4',
      'channelIds.0',
    ]);
    expect(errors[1]!.message).toBe(`must be the id of a monitor of this project, and ${foreign.id} is not`);
    const { id } = await rule({});
    expect(await patch(id, { monitorIds: ['mon_nobody'] })).toMatchObject({ status: 400 });
  });

  test('a patch changes only the fields that it names, and null restores the default of a field', async () => {
    const id = await monitor();
    const before = await rule({
      monitorIds: [id],
      channelIds: world.channelIds,
      consecutiveFailures: 3,
      reminderInterval: 1,
    });
    expect((await patch(before.id, {})).body).toEqual(before);
    expect((await patch(before.id, { name: 'r', monitorIds: [id, id] })).body).toEqual(before);
    const after = (await patch(before.id, { consecutiveFailures: null, reminderInterval: null, name: 'new' })).body;
    expect(after).toMatchObject({ consecutiveFailures: 1, reminderInterval: null, name: 'new', monitorIds: [id] });
    for (const [field, value] of [
      ['monitorIds', null],
      ['trigger', 'nothing'],
      ['nmae', 'x'],
      ['reminderInterval', 0],
    ] as const) {
      const refused = await patch(before.id, { [field]: value });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    }
    const counted = await patch(before.id, { trigger: 'ssl_expired', consecutiveFailures: 2 });
    expect(counted).toMatchObject({ status: 400, body: { errors: [{ path: 'consecutiveFailures' }] } });
  });

  test('a key is unique among the rules of a project, and the list of rules has filters and pages', async () => {
    const { id } = await rule({ key: 'k', name: 'keyed' });
    const again = await world.daemon.request('POST', '/api/alert-rules', {
      name: 'x',
      key: 'k',
      monitorIds: [],
      channelIds: [],
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await world.daemon.request('GET', '/api/alert-rules?key=k')).body).toMatchObject([{ id }]);
    expect((await world.daemon.request('GET', '/api/alert-rules?name=keyed')).body).toMatchObject([{ id }]);
    const whole = (await world.daemon.request('GET', '/api/alert-rules')).body as Shown[];
    const first = await world.daemon.request('GET', '/api/alert-rules?limit=1');
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!.slice(world.daemon.url.length);
    const rest = await world.daemon.request('GET', next.replace('limit=1', 'limit=1000'));
    expect([...(first.body as Shown[]), ...(rest.body as Shown[])]).toEqual(whole);
  });

  test('a deleted monitor or channel is removed from its rules', async () => {
    const [one, two, gone] = [await monitor(), await monitor(), await channel('gone')];
    const { id } = await rule({ monitorIds: [one, two], channelIds: [gone, world.channelIds[0]] });
    await world.daemon.request('DELETE', `/api/monitors/${one}`);
    await world.daemon.request('DELETE', `/api/notification-channels/${gone}`);
    expect((await patch(id, {})).body).toMatchObject({ monitorIds: [two], channelIds: [world.channelIds[0]] });
  });

  test('deleting a project also deletes its channels, rules and alerts', async () => {
    const { apiKey, project } = await world.daemon.another(`leaving-${database.name}`);
    const post = async (path: string, fields: object) =>
      ((await world.daemon.request('POST', `/api/${path}`, { name: 'x', ...fields }, { apiKey })).body as Shown).id;
    const job = await post('monitors', { type: 'heartbeat' });
    const webhookUrl = 'http://127.0.0.1:1/services/12345678';
    const to = await post('notification-channels', { type: 'slack', config: { webhookUrl } });
    const { token } = await world.daemon.store.db
      .selectFrom('monitor')
      .select('token')
      .where('id', '=', job)
      .executeTakeFirstOrThrow();
    await world.daemon.request('GET', `/ping/${token}/fail`, undefined, { apiKey: null });
    await post('alert-rules', { monitorIds: [job], channelIds: [to] });
    const counts = () =>
      Promise.all(
        (['channel', 'rule', 'alert'] as const).map(async (table) => {
          const rows = world.daemon.store.db.selectFrom(table).select('seq').where('project_id', '=', project.id);
          return (await rows.execute()).length;
        }),
      );
    expect(await counts()).toEqual([1, 1, 1]);
    expect((await world.daemon.request('DELETE', `/api/projects/${project.id}`, undefined, { apiKey })).status).toBe(
      204,
    );
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('an outage opens one alert for each channel of the rule, and these alerts resolve when the rule stops watching the monitor', async () => {
    const id = await monitor();
    const watching = await rule({ name: 'watching', monitorIds: [id], channelIds: world.channelIds });
    await round(id, true);
    const open = await alertsOf(id);
    expect(open).toMatchObject(
      world.channelIds.map((channelId) => ({
        ruleId: watching.id,
        ruleName: 'watching',
        monitorName: 'm',
        channelId,
        type: 'monitor_down',
        resolvedAt: null,
      })),
    );
    expect((await world.daemon.request('GET', `/api/alert-history/${open[0]!.id}`)).body).toMatchObject({
      id: open[0]!.id,
    });
    await patch(watching.id, { name: 'renamed', consecutiveFailures: 5 });
    expect(await alertsOf(id)).toMatchObject([{ resolvedAt: null }, { resolvedAt: null }]);
    await patch(watching.id, { monitorIds: [] });
    const over = await alertsOf(id);
    expect(over.map(({ resolvedAt }) => resolvedAt)).not.toContain(null);
    expect(over).toMatchObject([{ ruleName: 'watching' }, { ruleName: 'watching' }]);
  });

  test('a deleted rule resolves its alerts, and the history keeps the name of the rule', async () => {
    const id = await monitor();
    const { id: ruleId } = await rule({ name: 'short-lived', monitorIds: [id], channelIds: [world.channelIds[0]] });
    await round(id, true);
    expect((await world.daemon.request('DELETE', `/api/alert-rules/${ruleId}`)).status).toBe(204);
    expect((await world.daemon.request('DELETE', `/api/alert-rules/${ruleId}`)).status).toBe(404);
    const [alert] = await alertsOf(id);
    expect(alert).toMatchObject({ ruleId, ruleName: 'short-lived' });
    expect(alert!.resolvedAt).not.toBeNull();
  });

  test('a rule that is created during an outage sends its alarm at the next failed round, and for a heartbeat at once', async () => {
    const id = await monitor();
    await round(id, true);
    await rule({ monitorIds: [id], channelIds: [world.channelIds[0]] });
    expect(await alertsOf(id)).toEqual([]);
    await round(id, true);
    expect(await alertsOf(id)).toHaveLength(1);

    const job = await made('/api/monitors', { type: 'heartbeat', name: 'job' });
    const { pathname } = new URL(String(job.pingUrl));
    expect((await world.daemon.request('GET', `${pathname}/fail`, undefined, { apiKey: null })).status).toBe(200);
    await rule({ monitorIds: [job.id], channelIds: [world.channelIds[0]] });
    expect(await alertsOf(job.id)).toHaveLength(1);
  });

  test('a new rule about certificates sends an alarm about a certificate that was seen before the rule existed', async () => {
    const id = await monitor({ type: 'http', url: 'https://localhost:1/', host: undefined, port: undefined });
    const { db } = world.daemon.store;
    const { seq } = await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
    const certificate = { validFrom: 0, validTo: 1, issuer: 'i', subject: 's', fingerprint: 'f', error: null };
    await db
      .updateTable('monitor_state')
      .set({ certificate: JSON.stringify(certificate) })
      .where('monitor', '=', seq)
      .execute();
    await rule({ monitorIds: [id], channelIds: [world.channelIds[0]], trigger: 'ssl_expired' });
    await expect.poll(() => alertsOf(id), { timeout: 10_000 }).toMatchObject([{ type: 'ssl_expired' }]);
    // A review of the monitor's alerts clears `expiry_review_at`, even after all rules that watch the monitor were
    // deleted.
    const reviewAt = () =>
      db.selectFrom('monitor_state').select('expiry_review_at').where('monitor', '=', seq).executeTakeFirstOrThrow();
    await expect.poll(reviewAt, { timeout: 10_000 }).toEqual({ expiry_review_at: null });
    for (const one of (await world.daemon.request('GET', '/api/alert-rules')).body as Shown[]) {
      if ((one.monitorIds as string[]).includes(id)) await world.daemon.request('DELETE', `/api/alert-rules/${one.id}`);
    }
    await db.updateTable('monitor_state').set({ expiry_review_at: 1 }).where('monitor', '=', seq).execute();
    await expect.poll(reviewAt, { timeout: 10_000 }).toEqual({ expiry_review_at: null });
  });

  test('after a change of the reminder interval, the next reminder of an open alert is due one new interval later', async () => {
    const id = await monitor();
    const { id: ruleId } = await rule({ monitorIds: [id], channelIds: [world.channelIds[0]], reminderInterval: 3600 });
    await round(id, true);
    const [alert] = await alertsOf(id);
    const remindAt = async () =>
      (
        await world.daemon.store.db
          .selectFrom('alert')
          .select('remind_at')
          .where('id', '=', alert!.id)
          .executeTakeFirstOrThrow()
      ).remind_at;
    const within = (at: number | null, seconds: number) => Math.abs((at ?? 0) - Date.now() - seconds * 1000) < 30_000;
    expect(within(await remindAt(), 3600)).toBe(true);
    await patch(ruleId, { reminderInterval: 7200 });
    expect(within(await remindAt(), 7200)).toBe(true);
    await patch(ruleId, { reminderInterval: null });
    expect(await remindAt()).toBeNull();
  });

  test('a rule can be created with a hundred monitors, and their order can be changed', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => monitor({ paused: true })));
    const { id } = await rule({ monitorIds: ids, channelIds: world.channelIds });
    expect((await patch(id, { monitorIds: ids.toReversed() })).body).toMatchObject({ monitorIds: ids.toReversed() });
  });

  test('a rule that is created at the moment when a job fails opens only one alert', async () => {
    const jobs = await Promise.all(
      Array.from({ length: 20 }, () => made('/api/monitors', { type: 'heartbeat', name: 'job' })),
    );
    await Promise.all(
      jobs.flatMap(({ id, pingUrl }) => [
        world.daemon.request('GET', `${new URL(String(pingUrl)).pathname}/fail`, undefined, { apiKey: null }),
        rule({ monitorIds: [id], channelIds: [world.channelIds[0]] }),
      ]),
    );
    for (const { id } of jobs) expect(await alertsOf(id)).toHaveLength(1);
  });

  test('if a rule is edited while checks run, no alert stays open for a monitor that the rule no longer watches', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => monitor()));
    const { id } = await rule({ monitorIds: ids, channelIds: world.channelIds });
    const checks = ids.map((one) => round(one, true));
    const edits = [[], ids, []].map((monitorIds) => patch(id, { monitorIds }));
    const answers = await Promise.all(edits);
    await Promise.all(checks);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await patch(id, { monitorIds: [] });
    const open = await world.daemon.store.db
      .selectFrom('alert')
      .select('id')
      .where('rule_id', '=', id)
      .where('resolved_at', 'is', null)
      .execute();
    expect(open).toEqual([]);
  });
});
