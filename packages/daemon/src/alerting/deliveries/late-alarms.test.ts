import type { Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChannelType, channelTypeDefinitions, channelTypes } from '@uptime/sdk/contract';
import type { Tables } from '../../store/tables.ts';
import { databases, type TestDatabase } from '../../testing/databases.ts';
import { arrived, failing } from '../../testing/outbox.ts';
import {
  begunAt,
  createWatchedProject,
  minute,
  monitorFields,
  type WatchedProject,
} from '../../testing/watched-project.ts';
import { endWindow } from '../../lifecycle/end-window.ts';
import { changeMonitor, removeMonitors } from '../../lifecycle/monitor-life.ts';
import { createCheckRecording, type RecordCheck } from '../../testing/record-check.ts';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.ts';
import { finishDelivery } from './finish-delivery.ts';
import { claimOrphans } from './paging-incidents.ts';
import { sendReminder } from './remind.ts';
import { maxAlertsAtOnce, reviewAlerts } from '../review-alerts.ts';

describe.each(databases)('messages on $name', ({ open }) => {
  let database: TestDatabase;
  let project: WatchedProject;
  let record: RecordCheck;
  let shop = 0;
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    record = createCheckRecording(database.store);
    shop = await project.addMonitor('shop');
  });
  afterEach(() => database.dispose());

  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => database.store.write(work);
  const watch = async (
    type: ChannelType,
    more: { reminder_interval_seconds?: number; notify_on_recovery?: number } = {},
  ) => {
    const channel = await project.addChannel(type, type);
    const rule = await project.addRule('rule', { monitors: [shop], channels: [channel], ...more });
    return { channel, rule };
  };
  const check = (at: number, code: 'http_status' | 'connect_refused' | null, more: object = {}) =>
    write((trx) => record(trx, project.finished(shop, at, code, more)));
  /** Claims all messages that can be sent now, one after another. Each attempt ends with the given result. */
  const send = async (at: number, sent = arrived): Promise<ClaimedDelivery[]> => {
    const now = begunAt + at * minute;
    const all: ClaimedDelivery[] = [];
    for (;;) {
      const due = database.store.db.selectFrom('delivery').select('seq').where('status', '=', 'pending');
      const wanted = (await due.where('next_at', '<=', now).execute()).map(({ seq }) => seq);
      const claimed = await claimDeliveries(database.store, wanted, { now, leaseUntil: now + minute });
      if (claimed.length === 0 && wanted.length === 0) return all;
      all.push(...claimed);
      for (const one of claimed) {
        await write((trx) =>
          finishDelivery(trx, { claimed: one, sent, begunAt: now, at: now, durationMs: 1, random: 0 }),
        );
      }
    }
  };
  const formsOf = (sent: readonly ClaimedDelivery[]) =>
    sent.map(
      ({ notice }) =>
        `${notice.ended ? `both, ${notice.ended.reason}` : notice.kind} at ${(notice.at - begunAt) / minute}`,
    );
  const statuses = () =>
    database.store.db.selectFrom('alert').select(['delivery_status', 'error']).orderBy('seq').execute();

  it('a message is made from the facts at the time when it is sent, so a reminder has the present name and cause', async () => {
    await watch('slack', { reminder_interval_seconds: 60 });
    await check(1, 'http_status');
    await send(1);
    await check(2, 'connect_refused');
    await database.store.db.updateTable('monitor').set({ name: 'Shop, renamed' }).execute();
    const { seq } = await database.store.db.selectFrom('alert').select('seq').executeTakeFirstOrThrow();
    await write((trx) => sendReminder(trx, seq, begunAt + 3 * minute));
    const [reminder] = await send(4);
    expect(reminder!.notice).toMatchObject({
      kind: 'reminder',
      monitor: { name: 'Shop, renamed' },
      since: begunAt + minute,
      at: begunAt + 4 * minute,
      error: { code: 'connect_refused' },
    });
  });

  it('a message is made again for each attempt, so a retried alarm has the present cause, but keeps its original time', async () => {
    await watch('webhook');
    await check(1, 'http_status');
    await send(1, failing);
    await check(2, 'connect_refused');
    const [alarm] = await send(3);
    expect(alarm!.notice).toMatchObject({ kind: 'alarm', at: begunAt + minute, error: { code: 'connect_refused' } });
  });

  it('a reminder is sent as an alarm if the alarm did not arrive, and a recovery is sent later', async () => {
    await watch('slack', { reminder_interval_seconds: 60 });
    await check(1, 'http_status');
    await database.store.db.updateTable('delivery').set({ status: 'failed', next_at: null }).execute();
    await database.store.db.updateTable('alert').set({ delivery_status: 'failed' }).execute();
    const { seq } = await database.store.db.selectFrom('alert').select('seq').executeTakeFirstOrThrow();
    await write((trx) => sendReminder(trx, seq, begunAt + 3 * minute));
    expect(formsOf(await send(4))).toEqual(['alarm at 3']);
    expect(await statuses()).toEqual([{ delivery_status: 'sent', error: null }]);
    await check(5, null);
    expect(formsOf(await send(5))).toEqual(['recovery at 5']);
  });

  it('the message about a recovery inside a maintenance window has the details of the check that found the monitor up', async () => {
    await watch('webhook');
    const window = await project.addWindow([shop], begunAt + 2 * minute, begunAt + 5 * minute);
    await check(1, 'http_status');
    await send(1);
    await check(3, null);
    await write((trx) => endWindow(trx, window, begunAt + 5 * minute));
    const [recovery] = await send(5);
    expect(recovery!.notice).toMatchObject({
      kind: 'recovery',
      at: begunAt + 3 * minute,
      details: { statusCode: 200, responseTime: 12, region: 'default' },
    });
  });

  describe('about an outage that ended before its alarm could be sent', () => {
    const over = async (type: ChannelType) => {
      await watch(type);
      await check(1, 'http_status');
      await check(5, null);
    };

    it('a channel for people gets one message, which reports the outage and its end', async () => {
      await over('slack');
      expect(formsOf(await send(6))).toEqual(['both, recovered at 1']);
      expect(await statuses()).toEqual([{ delivery_status: 'sent', error: null }]);
      expect(await send(7)).toEqual([]);
    });

    it('a webhook gets the alarm and the recovery as separate events in order, each with its original time', async () => {
      await over('webhook');
      expect(formsOf(await send(6))).toEqual(['alarm at 1', 'recovery at 5']);
    });

    const omitting = channelTypes.filter((type) => channelTypeDefinitions[type].lateAlarms === 'omit');
    it.each(omitting)('no message is sent to %s', async (type) => {
      await over(type);
      expect(await send(6)).toEqual([]);
      const error = 'Not sent, because the outage ended before this message could be sent.';
      expect(await statuses()).toEqual([{ delivery_status: 'failed', error }]);
    });

    it('after a maintenance window, messages wait until reviews have resolved their alerts, even if one review is not enough', async () => {
      const channels = [];
      for (let at = 0; at < maxAlertsAtOnce + 4; at++) channels.push(await project.addChannel(`many${at}`));
      await project.addRule('wide', { monitors: [shop], channels });
      await check(1, 'http_status');
      await project.review(shop, 1);
      const window = await project.addWindow([shop], begunAt + 2 * minute, begunAt + 5 * minute);
      await check(3, null);
      expect(await send(5)).toEqual([]);
      await write((trx) => endWindow(trx, window, begunAt + 5 * minute));
      expect(new Set(formsOf(await send(5.5)))).toEqual(new Set(['both, recovered at 1']));
      await project.review(shop, 5.5);
      await send(6);
      const forms = await database.store.db.selectFrom('delivery').select(['kind', 'status']).execute();
      expect(forms).toEqual(channels.map(() => ({ kind: 'alarm', status: 'sent' })));
    });

    it('the message says that the monitor was paused or deleted, if the outage ended in this way', async () => {
      await watch('slack');
      await check(1, 'http_status');
      const fields = monitorFields({ name: 'shop' });
      const paused = { ...fields, paused: true };
      await write((trx) => changeMonitor(trx, { seq: shop, before: fields, after: paused, now: begunAt + 2 * minute }));
      expect(formsOf(await send(3))).toEqual(['both, paused at 1']);
      await write((trx) => changeMonitor(trx, { seq: shop, before: paused, after: fields, now: begunAt + 4 * minute }));
      await check(5, 'http_status', { generation: 2 });
      await write((trx) => removeMonitors(trx, [shop], begunAt + 6 * minute));
      const [last] = await send(7);
      expect(formsOf([last!])).toEqual(['both, deleted at 5']);
      expect(last!.notice.monitor.name).toBe('shop');
    });

    it('a recovery closes the incident that an alarm without an answer may have opened', async () => {
      await watch('pagerduty');
      await check(1, 'http_status');
      await send(1, { ...failing, status: null });
      await check(5, null);
      expect(formsOf(await send(6))).toEqual(['recovery at 5']);
    });

    it('a recovery that closes an incident leaves the error of the failed alarm in the alert', async () => {
      await watch('pagerduty');
      await check(1, 'http_status');
      await send(1, failing);
      await check(5, null);
      expect(formsOf(await send(6))).toEqual(['recovery at 5']);
      const error = 'Not sent, because the outage ended before this message could be sent.';
      expect(await statuses()).toEqual([{ delivery_status: 'failed', error }]);
    });

    it('messages about the earlier outage do not delay the alarm of the next outage', async () => {
      await watch('webhook');
      await check(1, 'http_status');
      for (let attempt = 0; attempt < 12; attempt++) {
        const { next_at: at } = await database.store.db
          .selectFrom('delivery')
          .select('next_at')
          .executeTakeFirstOrThrow();
        const now = at ?? 0;
        const [one] = await claimDeliveries(database.store, [1], { now, leaseUntil: now + minute });
        await write((trx) =>
          finishDelivery(trx, { claimed: one!, sent: failing, begunAt: now, at: now, durationMs: 1, random: 0 }),
        );
      }
      const at = 180;
      await check(at - 1, null);
      await check(at, 'http_status');
      expect(formsOf(await send(at))).toEqual(['alarm at 1', `recovery at ${at - 1}`, `alarm at ${at}`]);
    });
  });

  describe('to a paging service', () => {
    const orphans = async (at: number) => {
      const now = begunAt + at * minute;
      const found = await claimOrphans(database.store, { now, leaseUntil: now, limit: 10 });
      return found.map(({ config }) => config);
    };
    const down = async () => {
      const { channel, rule } = await watch('pagerduty');
      await check(1, 'http_status');
      expect(formsOf(await send(1))).toEqual(['alarm at 1']);
      return { channel, rule };
    };

    it('an incident is closed with the API key that opened it, even after the channel got another key', async () => {
      await down();
      await database.store.db.updateTable('channel').set({ config: 'another' }).execute();
      expect(await orphans(2)).toEqual([]);
      await check(3, null);
      expect(await send(3)).toEqual([]);
      expect(await orphans(3)).toEqual(['sealed']);
    });

    it('the incident is closed when the channel or the project is deleted', async () => {
      await down();
      await database.store.db.deleteFrom('channel').execute();
      expect(await orphans(2)).toEqual(['sealed']);
      await database.store.db.deleteFrom('project').execute();
      expect(await orphans(3)).toEqual(['sealed']);
    });

    it('an incident is closed only when its alarm can no longer be on the way', async () => {
      await watch('pagerduty');
      await check(1, 'http_status');
      const now = begunAt + minute;
      await claimDeliveries(database.store, [1], { now, leaseUntil: now + minute });
      await database.store.db.deleteFrom('project').execute();
      expect(await orphans(1.5)).toEqual([]);
      expect(await orphans(2)).toEqual(['sealed']);
    });

    it('the incident is opened again if a rule begins to watch the failing monitor again', async () => {
      const { rule } = await down();
      await database.store.db.deleteFrom('rule_monitor').where('rule', '=', rule).execute();
      await write((trx) => reviewAlerts(trx, shop, { at: begunAt + 2 * minute }));
      expect(formsOf(await send(2))).toEqual(['close at 2']);
      await database.store.db.insertInto('rule_monitor').values({ rule, monitor: shop, position: 0 }).execute();
      await check(3, 'http_status');
      expect(formsOf(await send(3))).toEqual(['alarm at 3']);
      await check(4, null);
      expect(formsOf(await send(4))).toEqual(['recovery at 4']);
      expect(await project.alerts()).toEqual(['rule shop pagerduty monitor_down 1-4']);
    });
  });
});
