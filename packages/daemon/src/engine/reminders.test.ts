import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notice } from '../channels/index.ts';
import type { Store } from '../store/store.ts';
import type { AlertTable } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { channelRow, openTestAlert } from '../testing/outbox.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { silentLog } from '../testing/test-daemon.ts';
import type { Loop } from './loop.ts';
import { startReminders } from './reminders.ts';

const minute = 60_000;

describe.each(databases)('the loop for reminders on $name', ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  let clock: FakeClock;
  let loop: Loop;

  beforeEach(async () => {
    database = await open();
    store = database.store;
    clock = createFakeClock();
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await store.db.insertInto('monitor').values(monitorRow('mon_1', 'prj')).execute();
    await store.db.insertInto('channel').values(channelRow('chn_1')).execute();
    await store.db
      .insertInto('rule')
      .values({
        id: 'rul',
        project_id: 'prj',
        key: null,
        name: 'rule',
        trigger: 'monitor_down',
        consecutive_failures: 1,
        notify_on_recovery: 1,
        reminder_interval_seconds: 120,
        enabled: 1,
        created_at: 0,
        updated_at: 0,
      })
      .execute();
    await store.db.insertInto('rule_monitor').values({ rule: 1, monitor: 1, position: 0 }).execute();
    await store.db.insertInto('rule_channel').values({ rule: 1, channel: 1, position: 0 }).execute();
    loop = startReminders({ clock, log: silentLog }, store);
  });
  afterEach(async () => {
    await loop.stop();
    await database.dispose();
  });

  const openAlert = async (
    more: Partial<Pick<AlertTable, 'delivery_status' | 'resolved_at'>> & { notified?: number } = {},
  ) => {
    const at = clock.now();
    await openTestAlert(store, 'a', {
      channel: 1,
      at,
      remind_at: at + 2 * minute,
      delivery_status: 'sent',
      notified: 1,
      ...more,
    });
    await sendAll();
  };
  const sendAll = () => store.db.updateTable('delivery').set({ status: 'sent', next_at: null }).execute();
  const alert = () => store.db.selectFrom('alert').selectAll().executeTakeFirstOrThrow();
  const reminders = async () => {
    const rows = await store.db.selectFrom('delivery').select('notice').where('kind', '=', 'reminder').execute();
    return rows.map(({ notice }) => JSON.parse(notice) as Notice);
  };
  /** Moves the clock forward, and then waits until the loop is idle, however slow the database is. */
  const pass = async (ms: number) => {
    clock.jump(ms);
    await clock.advance(1000);
    await vi.waitFor(() => expect(clock.waiting()).toBe(1), { timeout: 20_000, interval: 1 });
  };

  it('the daemon sends a reminder once an interval, with the facts of the alarm', async () => {
    await openAlert();
    await pass(minute);
    expect(await reminders()).toEqual([]);
    await pass(minute);
    expect(await reminders()).toMatchObject([
      {
        kind: 'reminder',
        event: 'monitor_down',
        alert: 'a',
        since: (await alert()).triggered_at,
        at: expect.any(Number),
      },
    ]);
    await sendAll();
    await pass(2 * minute);
    expect(await reminders()).toHaveLength(2);
  });

  it('only one reminder is sent after a stop of the daemon, however many intervals the stop took', async () => {
    await openAlert();
    await pass(100 * minute);
    expect(await reminders()).toHaveLength(1);
    expect((await alert()).remind_at).toBeGreaterThan(clock.now());
  });

  it('the daemon queues no reminder while an earlier reminder of the alert has not arrived', async () => {
    await openAlert();
    await pass(2 * minute);
    await pass(2 * minute);
    expect(await reminders()).toHaveLength(1);
  });

  it('the daemon sends no reminder while the alarm waits for a retry, and makes that retry due at once', async () => {
    await openAlert({ delivery_status: 'pending', notified: 0 });
    const later = clock.now() + 60 * minute;
    await store.db.updateTable('delivery').set({ status: 'pending', next_at: later, attempts: 9 }).execute();
    await pass(2 * minute);
    expect(await reminders()).toEqual([]);
    const alarm = await store.db.selectFrom('delivery').select('next_at').executeTakeFirstOrThrow();
    expect(alarm.next_at).toBeLessThanOrEqual(clock.now());
  });

  it('the daemon sends reminders even if the alarm was given up', async () => {
    await openAlert({ delivery_status: 'failed', notified: 0 });
    await store.db.updateTable('delivery').set({ status: 'failed', next_at: null }).execute();
    await pass(2 * minute);
    expect(await reminders()).toHaveLength(1);
  });

  it('the daemon sends no reminders while the rule is disabled, and continues when the rule is enabled', async () => {
    await openAlert();
    await store.db.updateTable('rule').set({ enabled: 0 }).execute();
    await pass(10 * minute);
    expect(await reminders()).toEqual([]);
    await store.db.updateTable('rule').set({ enabled: 1 }).execute();
    await pass(2 * minute);
    expect(await reminders()).toHaveLength(1);
  });

  it('the daemon sends no reminders during a maintenance window, and continues when the window has ended', async () => {
    await openAlert();
    const now = clock.now();
    await store.db
      .insertInto('incident')
      .values({
        id: 'inc',
        project_id: 'prj',
        title: 'window',
        status: 'identified',
        maintenance: 1,
        scheduled_start: now,
        scheduled_end: now + 60 * minute,
        started_at: now,
        resolved_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await store.db.insertInto('incident_monitor').values({ incident: 1, monitor: 1, position: 0 }).execute();
    for (let passed = 0; passed < 9; passed++) await pass(minute);
    expect(await reminders()).toEqual([]);
    await pass(51 * minute);
    await pass(2 * minute);
    expect(await reminders()).toHaveLength(1);
  });

  it('the daemon sends no reminders to channels that the rule no longer has', async () => {
    await openAlert();
    await store.db.deleteFrom('rule_channel').execute();
    await pass(10 * minute);
    expect(await reminders()).toEqual([]);
  });

  it('the daemon sends no reminders for resolved alerts, nor when the rule no longer has a reminder interval', async () => {
    await openAlert({ resolved_at: clock.now() });
    await pass(3 * minute);
    await store.db.updateTable('alert').set({ resolved_at: null }).execute();
    await store.db.updateTable('rule').set({ reminder_interval_seconds: null }).execute();
    await pass(minute);
    expect(await reminders()).toEqual([]);
    expect((await alert()).remind_at).toBeNull();
  });
});
