import { describe, expect, it } from 'vitest';
import type { Sent } from '../../channels/index.ts';
import { databases } from '../../testing/databases.ts';
import { arrived, failing, openTestAlert, refused } from '../../testing/outbox.ts';
import { messageUsage } from '../message-budget/message-counts.ts';
import { noMessageLimits } from '../message-budget/message-limits.ts';
import { createMessageLimitsWorld, now, minute } from '../../testing/message-limits-world.ts';

const day = 24 * 60 * minute;

describe.each(databases)('limits of messages on $name', ({ open }) => {
  const world = createMessageLimitsWorld({ open });
  const { addChannel, limited, aDay, claim, finish, channel, statuses, openMany } = world;

  it('a limit lets a fixed number of alarms through a channel, and the channel says why further alarms wait', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 5);
    const rules = limited({ channelPerHour: 3 });
    const claimed = await claim(rules);
    expect(claimed).toHaveLength(3);
    const why = 'Waits until 2026-01-31 12:20 UTC, because the limit of 3 messages an hour for one channel is reached.';
    expect(await channel(to)).toMatchObject({ wait_until: now + 20 * minute, held_why: why });
    expect(world.delayed).toEqual([{ channel: 'chn_1', project: 'prj', why }]);
    for (const one of claimed) await finish(one);
    expect(await statuses()).toEqual([
      ...Array<string>(3).fill('alarm sent'),
      ...Array<string>(2).fill('alarm pending'),
    ]);
  });

  it('the last message that a limit allows says how many more messages wait', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 5);
    const claimed = await claim(limited({ channelPerHour: 3 }));
    expect(claimed.map(({ notice }) => notice.limited)).toEqual([
      undefined,
      undefined,
      '4 more messages wait, because the limit of 3 messages an hour for one channel is reached. The list of alerts shows all alerts.',
    ]);
  });

  it('waiting messages are sent one at a time as the limit gets room, and the delay is reported only once', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 6);
    const rules = limited({ channelPerHour: 3 });
    for (const one of await claim(rules)) await finish(one);
    for (let step = 1; step <= 3; step++) {
      const at = now + step * 20 * minute;
      const claimed = await claim(rules, at);
      expect(claimed).toHaveLength(1);
      await finish(claimed[0]!, arrived, at);
    }
    expect(world.delayed).toHaveLength(1);
    const later = now + day;
    await openMany(to, 1, 7);
    expect(await claim(rules, later)).toHaveLength(1);
    expect((await channel(to)).held_why).toBeNull();
  });

  it('a limit counts the messages of all channels of a project, or of all projects of an account', async () => {
    const [one, two] = [await addChannel('chn_1'), await addChannel('chn_2', 'phone')];
    const other = await addChannel('chn_3', 'sms', { project_id: 'prj_2' });
    await openMany(one, 2);
    await openMany(two, 2, 11);
    await openMany(other, 2, 21);
    expect(await claim(aDay('project', 3))).toHaveLength(5);
    await world.store.db.updateTable('delivery').set({ next_at: now, lease_until: 0 }).execute();
    await world.store.db.updateTable('channel').set({ wait_until: 0 }).execute();
    expect(await claim(aDay('account', 3))).toHaveLength(3);
    expect(world.delayed.map(({ why }) => why)).toContain(
      'Waits until 2026-01-31 20:00 UTC, because the limit of 3 SMS and calls a day for one account is reached.',
    );
  });

  it('a message that uses no gateway of the operator does not count against any limit', async () => {
    const [hook, mail] = [await addChannel('chn_1', 'slack'), await addChannel('chn_2', 'email')];
    await openMany(hook, 3);
    await openMany(mail, 3, 11);
    expect(await claim(limited({ channelPerHour: 1, perDay: aDay('project', 1).limits.perDay }))).toHaveLength(4);
  });

  it('the last quarter of a limit is only for alarms, so a recovery waits, but an alarm behind the recovery is sent', async () => {
    const to = await addChannel('chn_1');
    const rules = limited({ channelPerHour: 4 });
    await openMany(to, 2);
    await openTestAlert(world.store, 'alr_flapping', { channel: to, at: now, monitor: 9 });
    for (const one of await claim(rules)) await finish(one);
    const flapping = await world.store.db
      .selectFrom('alert')
      .selectAll()
      .where('id', '=', 'alr_flapping')
      .executeTakeFirstOrThrow();
    await world.store.db.updateTable('alert').set({ resolved_at: now }).where('seq', '=', flapping.seq).execute();
    await openTestAlert(world.store, 'alr_again', { channel: to, at: now, monitor: 9, kinds: ['alarm'] });
    await world.store.db
      .insertInto('delivery')
      .values({
        id: 'dlv_recovery',
        project: flapping.project_id,
        alert: flapping.seq,
        channel: to,
        lane: `1:1:${to}`,
        kind: 'recovery',
        notice: '{}',
        status: 'pending',
        next_at: now,
        created_at: now,
        finished_at: null,
      })
      .execute();
    const claimed = await claim(rules);
    expect(claimed.map(({ notice }) => `${notice.kind} ${notice.alert}`)).toEqual(['alarm alr_again']);
    const recovery = await world.store.db
      .selectFrom('delivery')
      .selectAll()
      .where('id', '=', 'dlv_recovery')
      .executeTakeFirstOrThrow();
    expect(recovery.status).toBe('pending');
    expect(recovery.next_at).toBeGreaterThan(now);
    expect((await channel(to)).held_why).toBeNull();
  });

  it('a delayed recovery is given up if its monitor is down again, so that the new alarm does not wait for the recovery', async () => {
    const to = await addChannel('chn_1');
    const rules = limited({ channelPerHour: 4 });
    await openMany(to, 2);
    await openTestAlert(world.store, 'alr_first', { channel: to, at: now, monitor: 9, kinds: ['alarm', 'recovery'] });
    for (const one of await claim(rules)) await finish(one);
    await world.store.db.updateTable('alert').set({ resolved_at: now }).where('id', '=', 'alr_first').execute();
    expect(await claim(rules)).toEqual([]);
    await openTestAlert(world.store, 'alr_second', { channel: to, at: now, monitor: 9 });
    expect(await claim(rules)).toEqual([]);
    const claimed = await claim(rules);
    expect(claimed.map(({ notice }) => `${notice.kind} ${notice.alert}`)).toEqual(['alarm alr_second']);
    expect(await statuses()).toEqual(['alarm sent', 'alarm sent', 'alarm sent', 'recovery failed', 'alarm pending']);
    const { text } = await world.store.db
      .selectFrom('delivery_attempt')
      .select('text')
      .orderBy('delivery', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(text).toBe(
      'Not sent, because the limit of 4 messages an hour for one channel leaves room for alarms only, until 2026-01-31 12:15 UTC.',
    );
  });

  it('no reminder is sent while at least half of a limit is used', async () => {
    const to = await addChannel('chn_1');
    const rules = limited({ channelPerHour: 4 });
    await openMany(to, 1);
    await openTestAlert(world.store, 'alr_long', { channel: to, at: now, monitor: 9, kinds: ['alarm', 'reminder'] });
    for (const one of await claim(rules)) await finish(one);
    expect(await claim(rules)).toEqual([]);
    expect(await statuses()).toEqual(['alarm sent', 'alarm sent', 'reminder failed']);
  });

  it('a message that the gateway did not accept is not counted, so that a failure of the gateway uses up no limit', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 1);
    const rules = limited({ channelPerHour: 2, perDay: aDay('project', 7).limits.perDay });
    for (let attempt = 0; attempt < 9; attempt++) {
      const at = now + attempt * 2 * 60 * minute;
      const [claimed] = await claim(rules, at);
      if (!claimed) throw new Error(`Attempt ${attempt} was delayed.`);
      await finish(claimed, failing, at);
    }
    const at = now + 18 * 60 * minute;
    expect(
      (await messageUsage(world.store.db, rules.limits, { project: 'prj', account: 'user', now: at })).phone,
    ).toEqual({
      used: 0,
      maxMessages: 7,
    });
  });

  it('a message that may have arrived is counted, even if the gateway did not answer', async () => {
    const to = await addChannel('chn_1', 'email');
    await openMany(to, 1);
    const rules = limited({ perDay: { ...noMessageLimits.perDay, project: { mail: 7, phone: null } } });
    const [claimed] = await claim(rules);
    await finish(claimed!, {
      ok: false,
      retry: true,
      retryAfterMs: null,
      status: null,
      text: 'No answer.',
      mayHaveArrived: true,
    });
    expect((await messageUsage(world.store.db, rules.limits, { project: 'prj', account: 'user', now })).mail.used).toBe(
      1,
    );
  });

  it('a limit no longer delays a channel if the gateway did not accept its messages', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 4);
    const rules = aDay('project', 3);
    const claimed = await claim(rules);
    expect(claimed).toHaveLength(3);
    expect((await channel(to)).held_why).not.toBeNull();
    for (const one of claimed) await finish(one, failing, now + 1000);
    expect(await channel(to)).toMatchObject({ wait_until: now + 1000, held_why: null });
    expect((await claim(rules, now + 1000)).map(({ notice }) => notice.alert)).toEqual(['alr_4']);
  });

  it('a limit remains the reason for a delay, even if the gateway reports its own rate limit during the delay', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 5);
    const [first] = await claim(limited({ channelPerHour: 3 }));
    await world.store.db.updateTable('channel').set({ held_why: 'held' }).execute();
    const limit: Sent = { ok: false, retry: true, retryAfterMs: 1000, status: 429, text: 'slow down' };
    await finish({ ...first!, counted: null }, limit, now + 1000);
    expect(await channel(to)).toMatchObject({ wait_until: now + 20 * minute, held_why: 'held' });
  });

  it('a failing alarm is given up after a day of attempts, and a delay because of a limit is not part of that day', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 1);
    const rules = aDay('project', 1);
    const [tried] = await claim(rules);
    await finish(tried!, failing);
    await openMany(to, 1, 2);
    // Uses up the limit of one message a day, as if the newer alarm had been sent.
    await world.store.db
      .updateTable('message_budget')
      .set({ full_at: now + 2 * day })
      .execute();
    expect(await claim(rules, now + minute)).toEqual([]);
    const delivery = world.store.db
      .selectFrom('delivery')
      .select('tried_since')
      .where('kind', '=', 'alarm')
      .orderBy('seq');
    expect((await delivery.limit(1).executeTakeFirstOrThrow()).tried_since).toBeNull();
  });

  it('a new alarm overtakes a recovery that the provider refused before a limit delayed it', async () => {
    const to = await addChannel('chn_1');
    const rules = aDay('project', 4);
    await openTestAlert(world.store, 'alr_first', { channel: to, at: now, monitor: 9, kinds: ['alarm', 'recovery'] });
    for (const one of await claim(rules)) await finish(one);
    await world.store.db.updateTable('alert').set({ resolved_at: now }).execute();
    for (const one of await claim(rules)) await finish(one, refused);
    const other = await addChannel('chn_2');
    await openMany(other, 2);
    for (const one of await claim(rules, now + 1000)) await finish(one, arrived, now + 1000);
    const at = now + minute + 1;
    expect(await claim(rules, at)).toEqual([]);
    await openTestAlert(world.store, 'alr_second', { channel: to, at: at + 1000, monitor: 9 });
    await claim(rules, at + 1000);
    expect((await claim(rules, at + 2000)).map(({ notice }) => notice.alert)).toEqual(['alr_second']);
  });

  it('messages that a killed process may have sent stay counted', async () => {
    const to = await addChannel('chn_1');
    await openMany(to, 2);
    const rules = aDay('project', 2);
    expect(await claim(rules)).toHaveLength(2);
    // The process is killed here, and the leases of its claims end. The claimed messages stay counted, so the limit has
    // no room to send them again.
    expect(await claim(rules, now + 2 * minute)).toEqual([]);
    const usage = await messageUsage(world.store.db, rules.limits, {
      project: 'prj',
      account: 'user',
      now: now + 2 * minute,
    });
    expect(usage).toEqual({ mail: { used: 0, maxMessages: null }, phone: { used: 2, maxMessages: 2 } });
  });

  it('a limit is not exceeded if several daemons claim messages at the same moment', async () => {
    const channels = [];
    for (let n = 0; n < 8; n++) channels.push(await addChannel(`chn_${n}`));
    for (const [at, to] of channels.entries()) await openMany(to, 2, 1 + at * 10);
    const rules = aDay('server', 5);
    const others = world.store.dialect.exclusive
      ? [world.store]
      : [world.store, await world.database.openAnother(), await world.database.openAnother()];
    const claimed = await Promise.all(others.map((on) => claim(rules, now, on)));
    expect(claimed.flat()).toHaveLength(5);
  });

  it('a message to an unconfirmed address is given up, and its error names the command that confirms the address', async () => {
    const to = await addChannel('chn_1', 'email');
    await openMany(to, 1);
    expect(await claim({ limits: noMessageLimits, confirmsAddresses: true })).toEqual([]);
    expect(await world.store.db.selectFrom('alert').select(['delivery_status', 'error']).execute()).toEqual([
      {
        delivery_status: 'failed',
        error: 'Not sent, because the address of this channel is not confirmed: `uptime channels confirm chn_1`.',
      },
    ]);
  });
});
