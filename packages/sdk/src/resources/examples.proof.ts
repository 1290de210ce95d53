// Generated from src/contract by `npm run generate`. Do not edit.

import { Uptime } from '../index.ts';

declare const uptime: Uptime;
declare const cookie: string;
declare const process: { env: Record<string, string> };

export const examples = [
  // alert-history.ts
  async () => {
    const open = (await uptime.alertHistory.list()).filter((alert) => alert.resolvedAt === null);
  },
  async () => {
    for await (const { monitorName, triggeredAt } of uptime.alertHistory.iterate())
      console.log(monitorName, triggeredAt);
  },
  async () => {
    const { deliveryStatus, error } = await uptime.alertHistory.get('alr_1');
  },
  async () => {
    const failed = await uptime.alertHistory.deliveries({ status: 'failed' });
  },
  async () => {
    for await (const { status } of uptime.alertHistory.iterateDeliveries()) console.log(status);
  },
  async () => {
    await uptime.alertHistory.redeliver('dlv_1');
  },
  // alert-rules.ts
  async () => {
    const all = await uptime.alertRules.list();
  },
  async () => {
    for await (const { id } of uptime.alertRules.iterate()) console.log(id);
  },
  async () => {
    await uptime.alertRules.create({ name: 'Shop', monitorIds: ['mon_1'], channelIds: ['chn_1'] });
  },
  async () => {
    await uptime.alertRules.update('rul_1', { consecutiveFailures: 3 });
  },
  async () => {
    await uptime.alertRules.delete('rul_1');
  },
  // auth.ts
  async () => {
    const { cookie } = await uptime.auth.signUp({ name: 'Ada', email: 'ada@example.com', password: 'a long secret' });
    const mine = new Uptime({ session: cookie });
  },
  async () => {
    const { user, cookie } = await uptime.auth.signIn({ email: 'ada@example.com', password: 'a long secret' });
  },
  async () => {
    await new Uptime({ session: cookie }).auth.signOut();
  },
  async () => {
    const session = await uptime.auth.getSession();
    console.log(session?.user.email);
  },
  async () => {
    const change = { currentPassword: 'a long secret', newPassword: 'a longer one' };
    const { cookie } = await uptime.auth.changePassword(change);
  },
  async () => {
    for (const { userAgent, createdAt } of await uptime.auth.listSessions()) console.log(userAgent, createdAt);
  },
  async () => {
    for (const { id, current } of await uptime.auth.listSessions()) if (!current) await uptime.auth.revokeSession(id);
  },
  // billing.ts
  async () => {
    for (const { name, price } of await uptime.billing.plans()) console.log(name, `${price} USD a month`);
  },
  async () => {
    const { planId, currentPeriodEnd } = await uptime.billing.subscription();
  },
  async () => {
    const { checkoutUrl } = await uptime.billing.checkout({ planId: 'pln_1' });
  },
  async () => {
    const event = { id: 'evt_1', type: 'customer.subscription.deleted' };
    await uptime.billing.webhook(event, { headers: { 'stripe-signature': 't=1769846400,v1=5257a869e7…' } });
  },
  async () => {
    await uptime.billing.createPlan({ name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 });
  },
  async () => {
    await uptime.billing.updatePlan('pln_1', { price: 25 });
  },
  async () => {
    await uptime.billing.deletePlan('pln_1');
  },
  // channels.ts
  async () => {
    const all = await uptime.channels.list();
  },
  async () => {
    for await (const { id } of uptime.channels.iterate()) console.log(id);
  },
  async () => {
    await uptime.channels.create({ type: 'email', name: 'On call', config: { address: 'ops@example.com' } });
  },
  async () => {
    await uptime.channels.update('chn_1', { config: { webhookUrl: 'https://chat.example.com/hook' } });
  },
  async () => {
    await uptime.channels.delete('chn_1');
  },
  async () => {
    await uptime.channels.test('chn_1');
  },
  async () => {
    const { confirmedAt } = await uptime.channels.confirm('chn_1', '123456');
  },
  // heartbeats.ts
  async () => {
    const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
    await uptime.heartbeats.ping(pingUrl, { signal: 'start' });
    await uptime.heartbeats.ping(pingUrl, { signal: 0, metrics: { rows: 1200 } });
  },
  // incidents.ts
  async () => {
    const all = await uptime.incidents.list();
  },
  async () => {
    for await (const { id } of uptime.incidents.iterate()) console.log(id);
  },
  async () => {
    const { updates } = await uptime.incidents.get('inc_1');
  },
  async () => {
    const incident = await uptime.incidents.create({ title: 'Checkout is slow', monitorIds: ['mon_1'] });
  },
  async () => {
    await uptime.incidents.update('inc_1', { status: 'resolved', message: 'The cable is back.' });
  },
  async () => {
    await uptime.incidents.delete('inc_1');
  },
  // monitors.ts
  async () => {
    const [shop] = await uptime.monitors.list({ key: 'shop' });
  },
  async () => {
    for await (const monitor of uptime.monitors.iterate()) console.log(monitor.name, monitor.status);
  },
  async () => {
    const { status } = await uptime.monitors.get('mon_1');
  },
  async () => {
    const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup', interval: 86_400 });
  },
  async () => {
    await uptime.monitors.update('mon_1', { paused: true });
  },
  async () => {
    await uptime.monitors.delete('mon_1');
  },
  async () => {
    const { status, error, trace } = await uptime.monitors.check('mon_1');
  },
  async () => {
    const { uptime7d, avgResponseTime } = await uptime.monitors.stats('mon_1');
  },
  async () => {
    const days = await uptime.monitors.dailyUptime('mon_1', { from: '2026-01-01', to: '2026-01-31' });
  },
  async () => {
    const checks = await uptime.monitors.responseTimes('mon_1', { from: '2026-01-31' });
  },
  async () => {
    for await (const check of uptime.monitors.iterateResponseTimes('mon_1')) console.log(check.responseTime);
  },
  async () => {
    for (const { metrics } of await uptime.monitors.heartbeatMetrics('mon_1')) console.log(metrics['rows']);
  },
  async () => {
    for await (const { metrics } of uptime.monitors.iterateHeartbeatMetrics('mon_1')) console.log(metrics);
  },
  async () => {
    const [latest] = (await uptime.monitors.events('mon_1')).reverse();
  },
  async () => {
    for await (const { timestamp, to } of uptime.monitors.iterateEvents('mon_1')) console.log(timestamp, to);
  },
  // probes.ts
  async () => {
    const silent = (await uptime.probes.list()).flatMap(({ probes }) => probes).filter(({ live }) => !live);
  },
  async () => {
    const { token } = await uptime.probes.add({ region: 'eu-west' });
  },
  async () => {
    await uptime.probes.revoke('prb_1');
  },
  // project-keys.ts
  async () => {
    for (const key of await uptime.projects.keys.list('current')) console.log(key.name, key.scope, key.lastUsedAt);
  },
  async () => {
    for await (const key of uptime.projects.keys.iterate('current')) console.log(key.name);
  },
  async () => {
    const { scope, expiresAt } = await uptime.projects.keys.current();
  },
  async () => {
    const { key } = await uptime.projects.keys.create('current', { name: 'ci', scope: 'apply' });
  },
  async () => {
    await uptime.projects.keys.delete('current', 'key_1');
  },
  // projects.ts
  async () => {
    for (const project of await uptime.projects.list()) console.log(project.name);
  },
  async () => {
    for await (const project of uptime.projects.iterate()) console.log(project.name);
  },
  async () => {
    const { id, name } = await uptime.projects.get('current');
  },
  async () => {
    const { id, apiKey } = await uptime.projects.create({ name: 'Shop' });
  },
  async () => {
    await uptime.projects.update('prj_1', { name: 'Shop and stock' });
  },
  async () => {
    await uptime.projects.delete('prj_1');
  },
  async () => {
    const { apiKey } = await uptime.projects.regenerateKey('prj_1');
  },
  // regions.ts
  async () => {
    const served = (await uptime.regions.list()).filter(({ served }) => served).map(({ name }) => name);
  },
  // status-pages.ts
  async () => {
    const all = await uptime.statusPages.list();
  },
  async () => {
    for await (const { id } of uptime.statusPages.iterate()) console.log(id);
  },
  async () => {
    const { url } = await uptime.statusPages.get('pag_1');
  },
  async () => {
    const { url } = await uptime.statusPages.create({ name: 'Shop', slug: 'shop', monitorIds: ['mon_1'] });
  },
  async () => {
    await uptime.statusPages.update('pag_1', { monitorIds: ['mon_2', 'mon_1'] });
  },
  async () => {
    await uptime.statusPages.delete('pag_1');
  },
  async () => {
    const html = await uptime.statusPages.html('shop');
  },
  async () => {
    const { domain } = await uptime.statusPages.verifyDomain('pag_1');
  },
];
