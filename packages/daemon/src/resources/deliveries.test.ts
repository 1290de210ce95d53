import type { Insertable } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertTable, DeliveryTable } from '../store/tables.ts';
import { claimDeliveries } from '../alerting/deliveries/claim-deliveries.ts';
import { databases } from '../testing/databases.ts';
import { alertRow } from '../testing/outbox.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

interface Shown {
  id: string;
  [field: string]: unknown;
}

const day = 86_400_000;
/** A time after the end of this test. Messages that are due then are not sent during the test. */
const later = Date.now() + day;

describe.each(databases)('alert history and deliveries on $name', (database) => {
  let daemon: TestDaemon;
  let stranger: TestUser;
  let channel: { seq: number; id: string };
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    stranger = await daemon.another('stranger');
    const config = { webhookUrl: 'http://127.0.0.1:1/services/12345678' };
    await daemon.request('POST', '/api/notification-channels', { type: 'slack', name: 'c', config });
    channel = await daemon.store.db.selectFrom('channel').select(['seq', 'id']).executeTakeFirstOrThrow();
  });
  afterAll(() => daemon.close());

  let count = 0;
  const alert = async (more: Partial<Insertable<AlertTable>> = {}) => {
    const row = alertRow(`alr_${++count}`, {
      channel: channel.seq,
      at: Date.now(),
      project_id: daemon.project.id,
      channel_id: channel.id,
      monitor: count,
      ...more,
    });
    const { seq } = await daemon.store.db.insertInto('alert').values(row).returning('seq').executeTakeFirstOrThrow();
    return { ...row, seq };
  };
  const delivery = async (of: { seq: number }, more: Partial<Insertable<DeliveryTable>> = {}) => {
    const row = {
      id: `dlv_${++count}`,
      project: daemon.project.id,
      alert: of.seq,
      channel: channel.seq,
      lane: `lane of ${of.seq}`,
      kind: 'alarm' as const,
      notice: '{}',
      status: 'failed' as const,
      next_at: null,
      created_at: Date.now(),
      finished_at: Date.now(),
      ...more,
    };
    const { seq } = await daemon.store.db.insertInto('delivery').values(row).returning('seq').executeTakeFirstOrThrow();
    return { ...row, seq };
  };
  const list = async (path: string) => (await daemon.request('GET', path)).body as Shown[];
  const pagesOf = async (path: string) => {
    const joined: Shown[] = [];
    for (let next: string | null = path; next;) {
      const page = await daemon.request('GET', next);
      joined.push(...(page.body as Shown[]));
      next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]?.slice(daemon.url.length) ?? null;
    }
    return joined;
  };

  test('the alert history lists the alerts of the requested days in order of time, and its pages together are the whole list', async () => {
    const at = Date.UTC(2026, 0, 10, 12);
    for (const triggered_at of [at + 2, at, at, at + 1, at - day, at + day]) await alert({ triggered_at });
    const path = '/api/alert-history?from=2026-01-10&to=2026-01-10';
    const whole = await list(path);
    expect(whole.map(({ triggeredAt }) => Date.parse(String(triggeredAt)) - at)).toEqual([0, 0, 1, 2]);
    expect(whole[0]).toMatchObject({
      monitorName: 'monitor',
      resolvedAt: null,
      deliveryStatus: 'pending',
    });
    expect(await pagesOf(`${path}&limit=1`)).toEqual(whole);
    expect(await pagesOf(`${path}&limit=3`)).toEqual(whole);
    expect((await daemon.request('GET', '/api/alert-history?from=2026-01-11&to=2026-01-10')).status).toBe(400);
  });

  test('a long alert history is complete, although the server reads it in pages', async () => {
    const at = Date.UTC(2026, 1, 10);
    const { seq, ...first } = await alert({ triggered_at: at });
    const rows = Array.from({ length: 1200 }, (_, index) => ({
      ...first,
      id: `alr_long${index}`,
      monitor: 10_000 + index,
      // 400 alerts have the same time, so some pages end between alerts of the same time.
      triggered_at: at + Math.floor(index / 400),
    }));
    for (let from = 0; from < rows.length; from += 200)
      await daemon.store.db
        .insertInto('alert')
        .values(rows.slice(from, from + 200))
        .execute();
    const whole = await list('/api/alert-history?from=2026-02-10&to=2026-02-10');
    expect(new Set(whole.map(({ id }) => id)).size).toBe(1201);
    expect(whole).toHaveLength(1201);
    expect(seq).toBeGreaterThan(0);
  });

  test('the list of deliveries shows only those of the project, with their attempts, and can be filtered and read in pages', async () => {
    const [one, two] = [await alert(), await alert()];
    const sent = await delivery(one, { status: 'sent' });
    await delivery(two, { status: 'failed' });
    const recovery = await delivery(one, { kind: 'recovery', status: 'pending', next_at: later, finished_at: null });
    for (const [at, status] of [
      [2, 200],
      [1, 503],
    ] as const)
      await daemon.store.db
        .insertInto('delivery_attempt')
        .values({ delivery: sent.seq, at, duration_ms: 7, status, text: 'said' })
        .execute();

    expect(await list(`/api/deliveries?alertId=${one.id}`)).toEqual([
      {
        id: sent.id,
        alertId: one.id,
        monitorName: 'monitor',
        channelId: channel.id,
        channelName: 'channel',
        kind: 'alarm',
        status: 'sent',
        createdAt: new Date(sent.created_at).toISOString(),
        nextAttemptAt: null,
        finishedAt: new Date(sent.finished_at!).toISOString(),
        attempts: [
          { at: new Date(1).toISOString(), duration: 7, status: 503, text: 'said' },
          { at: new Date(2).toISOString(), duration: 7, status: 200, text: 'said' },
        ],
      },
      expect.objectContaining({ id: recovery.id, kind: 'recovery', nextAttemptAt: new Date(later).toISOString() }),
    ]);
    expect((await list(`/api/deliveries?alertId=${one.id}&status=pending`)).map(({ id }) => id)).toEqual([recovery.id]);
    expect(await list('/api/deliveries?alertId=alr_nobody')).toEqual([]);
    const whole = await list('/api/deliveries');
    expect(whole.length).toBeGreaterThanOrEqual(3);
    expect(await pagesOf('/api/deliveries?limit=1')).toEqual(whole);
    const theirs = await daemon.request('GET', `/api/deliveries?alertId=${one.id}`, undefined, {
      apiKey: stranger.apiKey,
    });
    expect(theirs.body).toEqual([]);
  });

  test('redeliver sends a finished delivery again under the same id, and refuses a pending delivery', async () => {
    const failed = await alert({ delivery_status: 'failed' });
    const { id } = await delivery(failed);
    await daemon.store.db.updateTable('delivery').set({ tried_since: 1, attempts: 9 }).where('id', '=', id).execute();
    // The channel waits until later, so that the message is not sent during this test.
    await daemon.store.db.updateTable('channel').set({ wait_until: later }).execute();
    const again = await daemon.request('POST', `/api/deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: 200, body: { id, status: 'pending', finishedAt: null } });
    expect((again.body as Shown).nextAttemptAt).toBe(new Date(later).toISOString());
    // The message may be tried for another 24 hours.
    const kept = daemon.store.db.selectFrom('delivery').select(['tried_since', 'attempts']).where('id', '=', id);
    expect(await kept.execute()).toEqual([{ tried_since: null, attempts: 0 }]);
    expect((await daemon.request('GET', `/api/alert-history/${failed.id}`)).body).toMatchObject({
      deliveryStatus: 'pending',
    });
    const twice = await daemon.request('POST', `/api/deliveries/${id}/redeliver`);
    expect(twice).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const foreign = await daemon.request('POST', `/api/deliveries/${id}/redeliver`, undefined, {
      apiKey: stranger.apiKey,
    });
    expect(foreign.status).toBe(404);
  });

  test('redeliver opens no incident for a resolved alert', async () => {
    const config = { integrationKey: 'k'.repeat(32) };
    await daemon.request('POST', '/api/notification-channels', { type: 'pagerduty', name: 'pager', config });
    const all = daemon.store.db.selectFrom('channel').select(['seq', 'id']).orderBy('seq', 'desc');
    const pager = await all.executeTakeFirstOrThrow();
    const resolved = await alert({ channel: pager.seq, channel_id: pager.id, resolved_at: Date.now(), notified: 1 });
    const { id } = await delivery(resolved, { channel: pager.seq, status: 'sent' });
    const again = await daemon.request('POST', `/api/deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((again.body as { detail: string }).detail).toContain('This alert is resolved');

    // The message about the end of an incident can be sent again, because the paging service may have missed it.
    await daemon.store.db.updateTable('channel').set({ wait_until: later }).execute();
    const end = await delivery(resolved, { channel: pager.seq, kind: 'recovery', status: 'sent' });
    expect(await daemon.request('POST', `/api/deliveries/${end.id}/redeliver`)).toMatchObject({ status: 200 });
    const [claimed] = await claimDeliveries(daemon.store, [end.seq], { now: Date.now(), leaseUntil: later });
    expect(claimed).toMatchObject({ id: end.id, notice: { kind: 'recovery' } });
  });

  test('a redelivered message waits for earlier unsent messages of its lane', async () => {
    const one = await alert();
    await delivery(one, { status: 'pending', next_at: later, finished_at: null });
    const { id } = await delivery(one, { kind: 'reminder' });
    const again = await daemon.request('POST', `/api/deliveries/${id}/redeliver`);
    expect(again.body).toMatchObject({ status: 'pending', nextAttemptAt: null });
  });
});
