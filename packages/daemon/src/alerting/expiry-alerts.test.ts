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
import { changeMonitor, removeMonitors } from '../lifecycle/monitor-life.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { sendReminder } from './deliveries/remind.ts';

describe.each(databases)('alerts about certificates and domains on $name', ({ open }) => {
  let database: TestDatabase;
  let project: WatchedProject;
  let [chat, pager] = [0, 0];
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    chat = await project.addChannel('chat');
    pager = await project.addChannel('pager', 'pagerduty');
  });
  afterEach(() => database.dispose());

  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => database.store.write(work);
  const review = async (at: number, ...monitors: number[]) => {
    for (const monitor of monitors) await project.review(monitor, at);
  };
  const see = async (monitor: number, at: number, certificate: SeenCertificate, more: object = {}) => {
    const record = createCheckRecording(database.store);
    await write((trx) => record(trx, project.finished(monitor, at, null, { certificate, ...more })));
  };
  const certificate = (fingerprint: string, days: number): SeenCertificate => ({
    validFrom: begunAt - 80 * dayMs,
    validTo: begunAt + days * dayMs,
    issuer: 'CN=ca',
    subject: 'CN=shop.example',
    fingerprint,
    error: null,
  });
  /** Stores that the domain expires in this many days, as if the registry had reported it. */
  const endsIn = (days: number) =>
    database.store.db
      .updateTable('domain_registration')
      .set({ expires_at: begunAt + days * dayMs, checked_at: begunAt })
      .where('name', '=', 'example.com')
      .execute();
  /** Creates one monitor of each type that has a host. All hosts are on one domain. */
  const fourOnOneDomain = async () => {
    const monitors = [
      await project.addMonitor('web', { url }),
      await project.addMonitor('mx', { type: 'dns', hostname: 'mail.example.com', recordType: 'MX' }),
      await project.addMonitor('smtp', { type: 'tcp', host: 'mail.example.com', port: 25 }),
      await project.addMonitor('host', { type: 'ping', host: 'example.com' }),
    ] as const;
    await project.addMonitor('elsewhere', { type: 'ping', host: 'example.org' });
    return monitors;
  };
  const edit = (seq: number, before: object, after: object, at: number) =>
    write((trx) =>
      changeMonitor(trx, {
        seq,
        before: monitorFields(before),
        after: monitorFields(after),
        now: begunAt + at * minute,
      }),
    );
  const setRule = (rule: number, columns: object) =>
    database.store.db.updateTable('rule').set(columns).where('seq', '=', rule).execute();

  it('rules about outages also open expiry alerts, one for each channel, and send reminders at their reminder interval', async () => {
    const shop = await project.addMonitor('shop', { url });
    await project.addRule('first', { monitors: [shop], channels: [chat], reminder_interval_seconds: 600 });
    await project.addRule('third', { monitors: [shop], channels: [chat, pager], consecutive_failures: 3 });
    await endsIn(10);
    await see(shop, 1, certificate('old', 4));
    await see(shop, 2, certificate('old', 4));
    await review(3, shop);
    expect(await project.alerts()).toEqual([
      'first shop chat ssl_expiring 1-',
      'first shop chat domain_expiring 1-',
      'third shop pager ssl_expiring 1-',
      'third shop pager domain_expiring 1-',
    ]);
    expect(await project.outbox()).toHaveLength(4);

    await database.store.db.updateTable('delivery').set({ status: 'sent' }).execute();
    for (const seq of [1, 2, 3, 4]) await write((trx) => sendReminder(trx, seq, begunAt + 11 * minute));
    expect((await project.outbox()).slice(4)).toEqual(['reminder shop to chat at 11', 'reminder shop to chat at 11']);
    await see(shop, 12, certificate('new', 90));
    expect(await project.alerts()).toEqual([
      'first shop chat ssl_expiring 1-12',
      'first shop chat domain_expiring 1-',
      'third shop pager ssl_expiring 1-12',
      'third shop pager domain_expiring 1-',
    ]);
    expect((await project.outbox()).slice(6)).toEqual(['close shop to pager at 12']);
  });

  it('an alarm about a certificate is sent only once, even if checks from several regions see the certificate', async () => {
    const shop = await project.addMonitor('shop', { url });
    await project.addRule('rule', { monitors: [shop], channels: [chat] });
    for (const [step, region] of [1, 2, 3, 1, 2, 3].entries())
      await see(shop, step + 1, certificate('old', 4), { region });
    expect(await project.outbox()).toEqual(['alarm shop to chat at 1']);
  });

  it('a rule about outages opens no expiry alert if an enabled rule has the trigger of that alert, or if `expiryAlerts` is false', async () => {
    const shop = await project.addMonitor('shop', { url });
    const down = await project.addRule('down', { monitors: [shop], channels: [chat, pager] });
    const expiring = { monitors: [shop], channels: [pager], trigger: 'ssl_expiring' as const };
    const own = await project.addRule('own', expiring);
    await see(shop, 1, certificate('a', 4));
    expect(await project.alerts()).toEqual(['own shop pager ssl_expiring 1-']);

    await setRule(own, { enabled: 0 });
    await review(2, shop);
    expect(await project.alerts()).toEqual(['own shop pager ssl_expiring 1-', 'down shop chat ssl_expiring 2-']);
    await setRule(down, { expiry_alerts: 0 });
    await review(3, shop);
    expect(await project.alerts()).toEqual(['own shop pager ssl_expiring 1-', 'down shop chat ssl_expiring 2-3']);
    await see(shop, 4, certificate('b', 4));
    expect((await project.alerts()).filter((line) => line.endsWith('-'))).toEqual([]);
  });

  it('an alert moves without a message to a new rule with an expiry trigger, and back when that rule is deleted', async () => {
    const shop = await project.addMonitor('shop', { url });
    await project.addRule('down', { monitors: [shop], channels: [chat, pager] });
    await see(shop, 1, certificate('a', 4));
    const own = await project.addRule('own', { monitors: [shop], channels: [chat], trigger: 'ssl_expiring' });
    await review(2, shop);
    await review(3, shop);
    expect(await project.alerts()).toEqual(['own shop chat ssl_expiring 1-', 'down shop pager ssl_expiring 1-2']);
    await database.store.db.deleteFrom('rule').where('seq', '=', own).execute();
    await review(4, shop);
    await review(5, shop);
    // The incident at the paging service was closed, so the same alert opens it again.
    expect(await project.alerts()).toEqual(['down shop chat ssl_expiring 1-', 'down shop pager ssl_expiring 1-']);
    expect(await project.outbox()).toEqual([
      'alarm shop to chat at 1',
      'alarm shop to pager at 1',
      'close shop to pager at 2',
      'alarm shop to pager at 4',
    ]);
  });

  it('each channel gets only one alarm about a domain, even if many monitors of all types are on the domain', async () => {
    const monitors = await fourOnOneDomain();
    await project.addRule('all', { monitors: [...monitors], channels: [chat, pager] });
    await project.addRule('more', { monitors: [...monitors], channels: [chat] });
    await endsIn(20);
    await review(1, ...monitors.toReversed());
    expect(await project.alerts()).toEqual(['all host chat domain_expiring 1-', 'all host pager domain_expiring 1-']);
    await endsIn(400);
    await review(2, ...monitors);
    expect((await project.alerts()).every((line) => line.endsWith('1-2'))).toBe(true);
    await endsIn(15);
    await review(3, ...monitors);
    expect(await project.alerts()).toHaveLength(4);
  });

  it('each channel gets only one alarm about a domain, even if several of its monitors are reviewed at the same time', async () => {
    const monitors = await fourOnOneDomain();
    await project.addRule('all', { monitors: [...monitors], channels: [chat, pager] });
    await endsIn(20);
    await Promise.all(monitors.map((monitor) => project.review(monitor, 1)));
    expect(await project.alerts()).toHaveLength(2);
  });

  it('an alert about a domain moves to another monitor without a message if its monitor is paused, deleted or unwatched, or gets another host', async () => {
    const [web, mx, smtp, host] = await fourOnOneDomain();
    const rule = await project.addRule('all', { monitors: [web, mx, smtp, host], channels: [chat, pager] });
    await endsIn(20);
    await review(1, web, mx, smtp, host);
    const at = async () => (await project.alerts()).map((line) => line.replace(/ domain_expiring 1-$/, ''));
    expect(await at()).toEqual(['all web chat', 'all web pager']);

    await edit(web, { name: 'web', url }, { name: 'web', url, paused: true }, 2);
    expect(await at()).toEqual(['all mx chat', 'all mx pager']);
    const dns = { type: 'dns', recordType: 'MX' };
    await edit(mx, { ...dns, hostname: 'mail.example.com' }, { ...dns, hostname: 'example.org' }, 3);
    expect(await at()).toEqual(['all smtp chat', 'all smtp pager']);
    await database.store.db.deleteFrom('rule_monitor').where('monitor', '=', smtp).execute();
    await review(4, smtp);
    expect(await at()).toEqual(['all host chat', 'all host pager']);
    expect(await project.outbox()).toEqual(['alarm web to chat at 1', 'alarm web to pager at 1'].map(movedTo('host')));

    // Only the paused monitor remains. The alert cannot move to a paused monitor, so it ends.
    await write((trx) => removeMonitors(trx, [host], begunAt + 5 * minute));
    expect(await project.alerts()).toEqual(['all host chat domain_expiring 1-5', 'all host pager domain_expiring 1-5']);
    expect((await project.outbox()).slice(2)).toEqual(['close host to pager at 5']);

    // Only a paging service gets a second alarm about the same expiry date, because it has to open its incident again.
    await edit(web, { name: 'web', url, paused: true }, { name: 'web', url }, 6);
    expect(await project.alerts()).toEqual(['all host chat domain_expiring 1-5', 'all web pager domain_expiring 1-']);
    await setRule(rule, { expiry_alerts: 0 });
    await review(7, web);
    expect(await project.alerts()).toEqual(['all host chat domain_expiring 1-5', 'all web pager domain_expiring 1-7']);
  });

  it('an alert about a domain opens even if one monitor of the domain is in maintenance', async () => {
    const [web, mx] = await fourOnOneDomain();
    await project.addRule('all', { monitors: [web, mx], channels: [chat] });
    await project.addWindow([web], begunAt, begunAt + 10 * minute);
    await endsIn(20);
    await review(1, web);
    expect(await project.alerts()).toEqual([]);
    await review(2, mx);
    await review(11, web);
    expect(await project.alerts()).toEqual(['all mx chat domain_expiring 2-']);
  });

  it('an alert about a domain does not move to another project', async () => {
    const [web, mx] = await fourOnOneDomain();
    await project.addRule('all', { monitors: [web, mx], channels: [chat] });
    await endsIn(20);
    await review(1, web);
    const { db } = database.store;
    await db
      .insertInto('project')
      .values({ id: 'other', user_id: 'u', name: 'o', api_key: 'o', created_at: 0, updated_at: 0 })
      .execute();
    await db.updateTable('monitor').set({ project_id: 'other' }).where('seq', '=', mx).execute();
    await write((trx) => removeMonitors(trx, [web], begunAt + 2 * minute));
    expect(await project.alerts()).toEqual(['all web chat domain_expiring 1-2']);
  });
});

const url = 'https://shop.example.com/';

/**
 * Returns a function that replaces the monitor in a line of the outbox with the monitor that the alert has moved to.
 */
const movedTo = (monitor: string) => (line: string) => line.replace(/ \w+ to/, ` ${monitor} to`);
