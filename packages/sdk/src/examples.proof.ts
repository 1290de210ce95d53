// Generated from src/contract by `npm run generate`. Do not edit.

import { path } from './path.ts';
import { ApiError, Uptime, UptimeError, type UptimeOptions } from './index.ts';
import { createFakeServer } from './testing.ts';

declare const uptime: Uptime;
declare const cookie: string;
declare const process: { env: Record<string, string> };

export const examples = [
  // client.ts
  async () => {
    const uptime = new Uptime({ siteUrl: 'http://127.0.0.1:3000', apiKey: process.env.UPTIME_API_KEY });
    const monitor = await uptime.monitors.create({ type: 'http', name: 'Shop', url: 'https://shop.example.com' });
    console.log(monitor.status); // "pending"
  },
  // client.ts
  async () => {
    const { status, version } = await uptime.health();
  },
  // client.ts
  async () => {
    const full = (await uptime.usage()).limits.filter(({ used, limit }) => limit !== null && used >= limit);
  },
  // errors.ts
  async () => {
    try {
      await uptime.monitors.list();
    } catch (error) {
      if (error instanceof UptimeError) console.error(error.message);
    }
  },
  // errors.ts
  async () => {
    try {
      await uptime.monitors.create({ type: 'tcp', name: 'db', host: 'db.internal', port: 0 });
    } catch (error) {
      if (error instanceof ApiError) for (const { path, message } of error.errors) console.error(path, message);
    }
  },
  // options.ts
  async () => {
    const options: UptimeOptions = { siteUrl: 'https://uptime.example.com', apiKey: process.env.UPTIME_API_KEY };
  },
  // options.ts
  async () => {
    await uptime.monitors.list({}, { timeout: 5_000, signal: AbortSignal.timeout(20_000) });
  },
  // path.ts
  async () => {
    path`/monitors/${'mon_1/../x'}`; // "/monitors/mon_1%2F..%2Fx"
  },
  // resources/alert-history.ts
  async () => {
    const open = (await uptime.alertHistory.list()).filter((alert) => alert.resolvedAt === null);
  },
  // resources/alert-history.ts
  async () => {
    for await (const { monitorName, triggeredAt } of uptime.alertHistory.iterate())
      console.log(monitorName, triggeredAt);
  },
  // resources/alert-history.ts
  async () => {
    const { deliveryStatus, error } = await uptime.alertHistory.get('alr_1');
  },
  // resources/alert-history.ts
  async () => {
    const failed = await uptime.alertHistory.deliveries({ status: 'failed' });
  },
  // resources/alert-history.ts
  async () => {
    for await (const { status } of uptime.alertHistory.iterateDeliveries()) console.log(status);
  },
  // resources/alert-history.ts
  async () => {
    await uptime.alertHistory.redeliver('dlv_1');
  },
  // resources/alert-rules.ts
  async () => {
    const all = await uptime.alertRules.list();
  },
  // resources/alert-rules.ts
  async () => {
    for await (const { id } of uptime.alertRules.iterate()) console.log(id);
  },
  // resources/alert-rules.ts
  async () => {
    await uptime.alertRules.create({ name: 'Shop', monitorIds: ['mon_1'], channelIds: ['chn_1'] });
  },
  // resources/alert-rules.ts
  async () => {
    await uptime.alertRules.update('rul_1', { consecutiveFailures: 3 });
  },
  // resources/alert-rules.ts
  async () => {
    await uptime.alertRules.delete('rul_1');
  },
  // resources/auth.ts
  async () => {
    const { cookie } = await uptime.auth.signUp({ name: 'Ada', email: 'ada@example.com', password: 'a long secret' });
    const mine = new Uptime({ session: cookie });
  },
  // resources/auth.ts
  async () => {
    const { user, cookie } = await uptime.auth.signIn({ email: 'ada@example.com', password: 'a long secret' });
  },
  // resources/auth.ts
  async () => {
    await new Uptime({ session: cookie }).auth.signOut();
  },
  // resources/auth.ts
  async () => {
    const session = await uptime.auth.getSession();
    console.log(session?.user.email);
  },
  // resources/auth.ts
  async () => {
    const { cookie } = await uptime.auth.changePassword({
      currentPassword: 'a long secret',
      newPassword: 'a longer one',
    });
  },
  // resources/auth.ts
  async () => {
    for (const { userAgent, createdAt } of await uptime.auth.listSessions()) console.log(userAgent, createdAt);
  },
  // resources/auth.ts
  async () => {
    for (const { id, current } of await uptime.auth.listSessions()) if (!current) await uptime.auth.revokeSession(id);
  },
  // resources/billing.ts
  async () => {
    for (const { name, price } of await uptime.billing.plans()) console.log(name, `${price} USD a month`);
  },
  // resources/billing.ts
  async () => {
    const { planId, currentPeriodEnd } = await uptime.billing.subscription();
  },
  // resources/billing.ts
  async () => {
    const { checkoutUrl } = await uptime.billing.checkout({ planId: 'pln_1' });
  },
  // resources/billing.ts
  async () => {
    const event = { id: 'evt_1', type: 'customer.subscription.deleted' };
    await uptime.billing.webhook(event, { headers: { 'stripe-signature': 't=1769846400,v1=5257a869e7…' } });
  },
  // resources/billing.ts
  async () => {
    await uptime.billing.createPlan({ name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 });
  },
  // resources/billing.ts
  async () => {
    await uptime.billing.updatePlan('pln_1', { price: 25 });
  },
  // resources/billing.ts
  async () => {
    await uptime.billing.deletePlan('pln_1');
  },
  // resources/channels.ts
  async () => {
    const all = await uptime.channels.list();
  },
  // resources/channels.ts
  async () => {
    for await (const { id } of uptime.channels.iterate()) console.log(id);
  },
  // resources/channels.ts
  async () => {
    await uptime.channels.create({ type: 'email', name: 'On call', config: { address: 'ops@example.com' } });
  },
  // resources/channels.ts
  async () => {
    await uptime.channels.update('chn_1', { config: { webhookUrl: 'https://chat.example.com/hook' } });
  },
  // resources/channels.ts
  async () => {
    await uptime.channels.delete('chn_1');
  },
  // resources/channels.ts
  async () => {
    await uptime.channels.test('chn_1');
  },
  // resources/channels.ts
  async () => {
    const { confirmedAt } = await uptime.channels.confirm('chn_1', '123456');
  },
  // resources/heartbeats.ts
  async () => {
    const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
    await uptime.heartbeats.ping(pingUrl, { signal: 'start' });
    await uptime.heartbeats.ping(pingUrl, { signal: 0, metrics: { rows: 1200 } });
  },
  // resources/incidents.ts
  async () => {
    const all = await uptime.incidents.list();
  },
  // resources/incidents.ts
  async () => {
    for await (const { id } of uptime.incidents.iterate()) console.log(id);
  },
  // resources/incidents.ts
  async () => {
    const { updates } = await uptime.incidents.get('inc_1');
  },
  // resources/incidents.ts
  async () => {
    const incident = await uptime.incidents.create({ title: 'Checkout is slow', monitorIds: ['mon_1'] });
  },
  // resources/incidents.ts
  async () => {
    await uptime.incidents.update('inc_1', { status: 'resolved', message: 'The cable is back.' });
  },
  // resources/incidents.ts
  async () => {
    await uptime.incidents.delete('inc_1');
  },
  // resources/monitors.ts
  async () => {
    const [shop] = await uptime.monitors.list({ key: 'shop' });
  },
  // resources/monitors.ts
  async () => {
    for await (const monitor of uptime.monitors.iterate()) console.log(monitor.name, monitor.status);
  },
  // resources/monitors.ts
  async () => {
    const { status } = await uptime.monitors.get('mon_1');
  },
  // resources/monitors.ts
  async () => {
    const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup', interval: 86_400 });
  },
  // resources/monitors.ts
  async () => {
    await uptime.monitors.update('mon_1', { paused: true });
  },
  // resources/monitors.ts
  async () => {
    await uptime.monitors.delete('mon_1');
  },
  // resources/monitors.ts
  async () => {
    const { status, error, trace } = await uptime.monitors.check('mon_1');
  },
  // resources/monitors.ts
  async () => {
    const { uptime7d, avgResponseTime } = await uptime.monitors.stats('mon_1');
  },
  // resources/monitors.ts
  async () => {
    const days = await uptime.monitors.dailyUptime('mon_1', { from: '2026-01-01', to: '2026-01-31' });
  },
  // resources/monitors.ts
  async () => {
    const checks = await uptime.monitors.responseTimes('mon_1', { from: '2026-01-31' });
  },
  // resources/monitors.ts
  async () => {
    for await (const check of uptime.monitors.iterateResponseTimes('mon_1')) console.log(check.responseTime);
  },
  // resources/monitors.ts
  async () => {
    for (const { metrics } of await uptime.monitors.heartbeatMetrics('mon_1')) console.log(metrics['rows']);
  },
  // resources/monitors.ts
  async () => {
    for await (const { metrics } of uptime.monitors.iterateHeartbeatMetrics('mon_1')) console.log(metrics);
  },
  // resources/monitors.ts
  async () => {
    const [latest] = (await uptime.monitors.events('mon_1')).reverse();
  },
  // resources/monitors.ts
  async () => {
    for await (const { timestamp, to } of uptime.monitors.iterateEvents('mon_1')) console.log(timestamp, to);
  },
  // resources/projects.ts
  async () => {
    for (const project of await uptime.projects.list()) console.log(project.name);
  },
  // resources/projects.ts
  async () => {
    for await (const project of uptime.projects.iterate()) console.log(project.name);
  },
  // resources/projects.ts
  async () => {
    const { id, name } = await uptime.projects.get('current');
  },
  // resources/projects.ts
  async () => {
    const { id, apiKey } = await uptime.projects.create({ name: 'Shop' });
  },
  // resources/projects.ts
  async () => {
    await uptime.projects.update('prj_1', { name: 'Shop and stock' });
  },
  // resources/projects.ts
  async () => {
    await uptime.projects.delete('prj_1');
  },
  // resources/projects.ts
  async () => {
    const { apiKey } = await uptime.projects.regenerateKey('prj_1');
  },
  // resources/regions.ts
  async () => {
    const served = (await uptime.regions.list()).filter(({ served }) => served).map(({ name }) => name);
  },
  // resources/status-pages.ts
  async () => {
    const all = await uptime.statusPages.list();
  },
  // resources/status-pages.ts
  async () => {
    for await (const { id } of uptime.statusPages.iterate()) console.log(id);
  },
  // resources/status-pages.ts
  async () => {
    const { url } = await uptime.statusPages.get('pag_1');
  },
  // resources/status-pages.ts
  async () => {
    const { url } = await uptime.statusPages.create({ name: 'Shop', slug: 'shop', monitorIds: ['mon_1'] });
  },
  // resources/status-pages.ts
  async () => {
    await uptime.statusPages.update('pag_1', { monitorIds: ['mon_2', 'mon_1'] });
  },
  // resources/status-pages.ts
  async () => {
    await uptime.statusPages.delete('pag_1');
  },
  // resources/status-pages.ts
  async () => {
    const html = await uptime.statusPages.html('shop');
  },
  // resources/status-pages.ts
  async () => {
    const { domain } = await uptime.statusPages.verifyDomain('pag_1');
  },
  // testing.ts
  async () => {
    const server = createFakeServer();
    const uptime = new Uptime(server);
    server.failNext({ status: 503, retryAfter: 0 });
    await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' }); // the client retries
  },
];
