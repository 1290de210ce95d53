import { maxAlertsAtOnce } from './review-alerts.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from 'kysely';
import type { SeenCertificate } from '../checks/check.ts';
import { dayMs } from '../core/uptime.ts';
import type { Tables } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import {
  begunAt,
  createWatchedProject,
  minute,
  monitorFields,
  type WatchedProject,
} from '../testing/watched-project.ts';
import { endWindow } from '../lifecycle/end-window.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import { changeMonitor, removeMonitors } from '../lifecycle/monitor-life.ts';
import { createCheckRecording, type RecordCheck } from '../testing/record-check.ts';
import { createRecordAllPings } from '../recording/record-pings.ts';
import { sendReminder } from './deliveries/remind.ts';
import { allResults } from '../testing/all-results.ts';

describe.each(databases)('alerts on $name', ({ open }) => {
  let database: TestDatabase;
  let project: WatchedProject;
  let record: RecordCheck;
  let [shop, chat, pager] = [0, 0, 0];
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    record = createCheckRecording(database.store);
    shop = await project.addMonitor('shop');
    chat = await project.addChannel('chat');
    pager = await project.addChannel('pager', 'pagerduty');
  });
  afterEach(() => database.dispose());

  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => database.store.write(work);
  /** Records checks that are a minute apart. In `results`, `x` is a failed check and `.` a passed check. */
  const checks = async (from: number, results: string, monitor = shop) => {
    for (const [step, result] of results.split('').entries()) {
      const check = project.finished(monitor, from + step, result === 'x' ? 'http_status' : null);
      await write((trx) => record(trx, check));
    }
  };

  it('each rule sends one alarm to each of its channels at its threshold, and all alerts resolve when the monitor recovers', async () => {
    await project.addRule('first', { monitors: [shop], channels: [chat, pager] });
    await project.addRule('third', { monitors: [shop], channels: [chat], consecutive_failures: 3 });
    await checks(1, '.xxxxx..');
    expect(await project.alerts()).toEqual([
      'first shop chat monitor_down 2-7',
      'first shop pager monitor_down 2-7',
      'third shop chat monitor_down 4-7',
    ]);
    expect(await project.outbox()).toEqual([
      'alarm shop to chat at 2',
      'alarm shop to pager at 2',
      'alarm shop to chat at 4',
      'recovery shop to chat at 7',
      'recovery shop to pager at 7',
      'recovery shop to chat at 7',
    ]);
  });

  it('an alarm has the time of the first failure, the cause, and the details of the latest check', async () => {
    await project.addRule('rule', { monitors: [shop], channels: [chat], consecutive_failures: 2 });
    await checks(1, 'xx');
    const { notice } = await database.store.db.selectFrom('delivery').select('notice').executeTakeFirstOrThrow();
    expect(JSON.parse(notice)).toMatchObject({
      kind: 'alarm',
      event: 'monitor_down',
      monitor: { id: 'mon_shop', name: 'shop', url: 'https://shop.example/' },
      at: begunAt + 2 * minute,
      since: begunAt + minute,
      error: { code: 'http_status', message: 'It failed: http_status.' },
      details: { statusCode: 500, responseTime: 12, region: 'default' },
    });
  });

  it('alerts to many channels are written in several short transactions, on SQLite each in one turn of the event loop', async () => {
    const channels = [];
    for (let at = 0; at < 2 * maxAlertsAtOnce + 1; at++) channels.push(await project.addChannel(`many${at}`));
    await project.addRule('wide', { monitors: [shop], channels });
    let turnsMeanwhile = 0;
    const during = async (trx: Transaction<Tables>) => {
      let ended = false;
      const count = () => {
        if (ended) return;
        turnsMeanwhile++;
        setImmediate(count);
      };
      setImmediate(count);
      await record(trx, project.finished(shop, 1, 'http_status'));
      ended = true;
    };
    await write(during);
    expect(await project.outbox()).toHaveLength(maxAlertsAtOnce);
    // On SQLite, the transaction must not wait for another turn of the event loop, because all other writes would wait
    // too. On PostgreSQL, each statement waits for a turn anyway.
    if (database.store.dialect.exclusive) expect(turnsMeanwhile).toBe(0);
    await project.review(shop, 2);
    expect(await project.outbox()).toHaveLength(2 * maxAlertsAtOnce);
  });

  it('a rule with `notifyOnRecovery: false` sends no recovery, but incidents at paging services are still closed', async () => {
    await project.addRule('rule', { monitors: [shop], channels: [chat, pager], notify_on_recovery: 0 });
    await checks(1, 'x.');
    expect((await project.outbox()).slice(2)).toEqual(['close shop to pager at 2']);
  });

  it('an alert of a heartbeat opens at a silence or a reported failure, whatever the threshold is, and resolves at the next ping', async () => {
    const job = await project.addMonitor('job', { type: 'heartbeat', interval: 60, gracePeriod: 60 });
    await project.addRule('rule', { monitors: [job], channels: [chat], consecutive_failures: 100 });
    const recordPings = createRecordAllPings(database.store);
    const ping = (at: number, kind: 'success' | 'failure') =>
      write((trx) =>
        recordPings(trx, [{ token: 'job', kind, exitCode: null, metrics: null, at: begunAt + at * minute }]),
      );
    await write((trx) => judgeHeartbeat(trx, job, begunAt + 2 * minute));
    await write((trx) => judgeHeartbeat(trx, job, begunAt + 3 * minute));
    await ping(4, 'success');
    await ping(5, 'failure');
    await ping(6, 'failure');
    await ping(7, 'success');
    expect(await project.alerts()).toEqual(['rule job chat monitor_down 2-4', 'rule job chat monitor_down 5-7']);
    expect(await project.outbox()).toEqual([
      'alarm job to chat at 2',
      'recovery job to chat at 4',
      'alarm job to chat at 5',
      'recovery job to chat at 7',
    ]);
  });

  it("an alert ends when its monitor is paused or deleted, only paging services get a message, and the alert keeps the monitor's name", async () => {
    await project.addRule('rule', { monitors: [shop], channels: [chat, pager] });
    await checks(1, 'x');
    const fields = monitorFields({ name: 'shop' });
    const paused = { ...fields, paused: true };
    await write((trx) => changeMonitor(trx, { seq: shop, before: fields, after: paused, now: begunAt + 2 * minute }));
    await write((trx) => changeMonitor(trx, { seq: shop, before: paused, after: fields, now: begunAt + 3 * minute }));
    await write((trx) => record(trx, project.finished(shop, 4, 'http_status', { generation: 2 })));
    await write((trx) => removeMonitors(trx, [shop], begunAt + 5 * minute));
    expect(await project.alerts()).toEqual([
      'rule shop chat monitor_down 1-2',
      'rule shop pager monitor_down 1-2',
      'rule shop chat monitor_down 4-5',
      'rule shop pager monitor_down 4-5',
    ]);
    expect((await project.outbox()).filter((line) => !line.startsWith('alarm'))).toEqual([
      'close shop to pager at 2',
      'close shop to pager at 5',
    ]);
  });

  it('after an edit of the target, earlier failures do not count toward the threshold, and an open alert sends no second alarm', async () => {
    await project.addRule('early', { monitors: [shop], channels: [chat] });
    await project.addRule('late', { monitors: [shop], channels: [chat], consecutive_failures: 2 });
    await checks(1, 'x');
    const before = monitorFields({ name: 'shop' });
    const after = monitorFields({ name: 'shop', url: 'https://shop.example/other' });
    await write((trx) => changeMonitor(trx, { seq: shop, before, after, now: begunAt + 1.5 * minute }));
    for (const at of [2, 3, 4])
      await write((trx) => record(trx, project.finished(shop, at, 'timeout', { generation: 2 })));
    expect(await project.outbox()).toEqual(['alarm shop to chat at 1', 'alarm shop to chat at 3']);
  });

  describe('around a maintenance window from minute 10 to minute 20', () => {
    let window = 0;
    beforeEach(async () => {
      await project.addRule('rule', { monitors: [shop], channels: [chat], consecutive_failures: 2 });
      window = await project.addWindow([shop], begunAt + 10 * minute, begunAt + 20 * minute);
    });
    const end = () => write((trx) => endWindow(trx, window, begunAt + 20 * minute));

    it('an alert opens at the first failed check after the window, because failures inside the window count toward the threshold', async () => {
      await checks(18, 'xx');
      await end();
      expect(await project.alerts()).toEqual([]);
      await checks(21, 'x');
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 21-']);
    });

    it('no alert reports an outage that began and ended inside the window', async () => {
      await checks(10, 'xxxxxxxxx.');
      await end();
      await checks(21, '.x');
      expect(await project.alerts()).toEqual([]);
    });

    it('an alert ends at the time of the first passed check inside the window, and the recovery is sent after the window', async () => {
      await checks(8, 'xxx.');
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 9-']);
      await end();
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 9-11']);
      expect(await project.outbox()).toEqual(['alarm shop to chat at 9', 'recovery shop to chat at 20']);
    });

    it('an alert stays open without a message if one outage ends inside the window and another outage begins there', async () => {
      await checks(8, 'xx.xx');
      await end();
      await checks(21, 'xx.');
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 9-23']);
      expect(await project.outbox()).toEqual(['alarm shop to chat at 9', 'recovery shop to chat at 23']);
    });

    it('an alert resolves before the next outage leads to an alarm, even if that outage began before the end of the window was processed', async () => {
      await checks(8, 'xx.');
      await checks(20, 'xx');
      await end();
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 9-10', 'rule shop chat monitor_down 21-']);
      expect(await project.outbox()).toEqual([
        'alarm shop to chat at 9',
        'recovery shop to chat at 20',
        'alarm shop to chat at 21',
      ]);
    });

    it('no reminder is sent if the monitor recovered inside the window', async () => {
      await database.store.db.updateTable('rule').set({ reminder_interval_seconds: 60 }).execute();
      await checks(8, 'xx.');
      await database.store.db.updateTable('alert').set({ delivery_status: 'sent' }).execute();
      await database.store.db.updateTable('delivery').set({ status: 'sent' }).execute();
      const { seq } = await database.store.db.selectFrom('alert').select('seq').executeTakeFirstOrThrow();
      await write((trx) => sendReminder(trx, seq, begunAt + 20 * minute));
      await end();
      expect(await project.outbox()).toEqual(['alarm shop to chat at 9', 'recovery shop to chat at 20']);
    });

    it('a check that passed inside the window resolves an alert, even if its result is stored after the window', async () => {
      await checks(8, 'xx');
      await end();
      await checks(19, '.');
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 9-19']);
      expect(await project.outbox()).toHaveLength(2);
    });

    it('a check that failed inside the window opens no alert, even if its result is stored after the window', async () => {
      await end();
      await checks(18, 'xx');
      expect(await project.alerts()).toEqual([]);
      await checks(20, 'x');
      expect(await project.alerts()).toEqual(['rule shop chat monitor_down 20-']);
    });
  });

  it('an alert about a certificate opens only once for the same certificate', async () => {
    await project.addRule('rule', { monitors: [shop], channels: [chat], trigger: 'ssl_expiring' });
    const certificate = (fingerprint: string, days: number): SeenCertificate => ({
      validFrom: begunAt - 80 * dayMs,
      validTo: begunAt + days * dayMs,
      issuer: 'CN=ca',
      subject: 'CN=shop.example',
      fingerprint,
      error: null,
    });
    const seen = [certificate('old', 3), certificate('old', 3), certificate('new', 90), certificate('short', 5)];
    for (const [step, one] of [...seen, ...seen].entries())
      await write((trx) => record(trx, project.finished(shop, step + 1, null, { certificate: one })));
    expect(await project.alerts()).toEqual(['rule shop chat ssl_expiring 1-3', 'rule shop chat ssl_expiring 4-5']);
    expect(await project.outbox()).toEqual(['alarm shop to chat at 1', 'alarm shop to chat at 4']);
  });

  it('an alert is stored in the transaction that stores its cause, and only once even if that transaction is repeated', async () => {
    await project.addRule('rule', { monitors: [shop], channels: [chat] });
    const check = project.finished(shop, 1, 'timeout');
    const failing = write(async (trx) => {
      await record(trx, check);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    const { db } = database.store;
    expect(await allResults(database.store)).toEqual([]);
    expect(await db.selectFrom('status_change').selectAll().execute()).toEqual([]);
    expect([...(await project.alerts()), ...(await project.outbox())]).toEqual([]);

    let runs = 0;
    await write(async (trx) => {
      await record(trx, check);
      // PostgreSQL returns this error if another transaction has changed the same rows, and the store then repeats the
      // transaction.
      if (++runs === 1) throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    expect(runs).toBe(2);
    expect(await project.alerts()).toHaveLength(1);
    expect(await project.outbox()).toHaveLength(1);
  });
});
