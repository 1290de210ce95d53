import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainSubject } from '../core/is-notified.ts';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { findSuccessor } from './find-successor.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;
  let monitors: number[];
  const [domain, expiredOn] = ['m.example', '2026-01-01'];

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    monitors = await addHeavyMonitors(daemon, size);
    const { db } = daemon.store;
    await db.updateTable('monitor_state').set({ domain, status: 'up' }).execute();
    await db.deleteFrom('domain_registration').execute();
    const known = { checked_at: 0, expires_at: Date.parse(expiredOn), registrar: null, error: null };
    await db
      .insertInto('domain_registration')
      .values({ name: domain, next_at: 0, ...known })
      .execute();
  });
  afterAll(() => daemon.close());

  const ruleOf = async (seqs: readonly number[]) => {
    const { db } = daemon.store;
    const channel = { name: 'c', type: 'webhook', config: { url: 'https://c.example/' } };
    const { id: channelId } = (await daemon.request('POST', '/api/notification-channels', channel)).body as {
      id: string;
    };
    const { id: first } = await db
      .selectFrom('monitor')
      .select('id')
      .where('seq', '=', seqs[0]!)
      .executeTakeFirstOrThrow();
    const input = { name: 'r', trigger: 'domain_expired', monitorIds: [first], channelIds: [channelId] };
    const { id } = (await daemon.request('POST', '/api/alert-rules', input)).body as { id: string };
    const { seq: rule } = await db.selectFrom('rule').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
    const members = seqs.slice(1).map((monitor, position) => ({ rule, monitor, position: position + 1 }));
    await db.insertInto('rule_monitor').values(members).execute();
    const { seq } = await db.selectFrom('channel').select('seq').where('id', '=', channelId).executeTakeFirstOrThrow();
    return { rule, channel: seq };
  };

  test('findSuccessor blocks the event loop for less than 50 ms at a time', async () => {
    await ruleOf(monitors.slice(0, -20));
    const { rule, channel } = await ruleOf(monitors.slice(-20));
    const { id } = daemon.project;
    const find = (expiry: string) => {
      const alert = {
        id: 'alr_1',
        trigger: 'domain_expired' as const,
        subject: domainSubject(domain, expiry),
        channel,
      };
      const from = { seq: monitors.at(-20)!, project_id: id };
      return daemon.store.write((trx) => findSuccessor(trx, from, alert, Date.now()));
    };
    // No monitor has this fault, so the search reads all monitors.
    const other = '2025-01-01';
    expect(await longestTurn(() => find(other))).toBeLessThan(boundTurnMs());
    expect(await find(other)).toBeNull();
    // The search finds the oldest other monitor whose rule has the channel.
    expect(await find(expiredOn)).toEqual({ alert: 'alr_1', monitor: monitors.at(-19), rule });
  });
});
