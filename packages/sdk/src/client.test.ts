import { expect, test } from 'vitest';
import { allEndpoints, type Endpoint } from './contract/index.ts';
import { Uptime } from './index.ts';

const id = 'an-id';
const monitor = { type: 'ping', name: 'Router', host: '10.0.0.1' } as const;
const plan = { name: 'Team', monitors: 1, checkInterval: 60, regions: 1, price: 0 };

/** One call for each endpoint. The compiler requires a line for each new endpoint of the contract. */
const calls: Record<keyof typeof allEndpoints, (uptime: Uptime) => Promise<unknown>> = {
  signUp: ({ auth }) => auth.signUp({ name: 'Ada', email: 'ada@example.com', password: 'a long secret' }),
  signIn: ({ auth }) => auth.signIn({ email: 'ada@example.com', password: 'a long secret' }),
  signOut: ({ auth }) => auth.signOut(),
  getSession: ({ auth }) => auth.getSession(),
  changePassword: ({ auth }) => auth.changePassword({ currentPassword: 'a long secret', newPassword: 'a longer one' }),
  listSessions: ({ auth }) => auth.listSessions(),
  revokeSession: ({ auth }) => auth.revokeSession(id),
  listProjects: ({ projects }) => projects.list({ limit: 1, cursor: 'c' }),
  getProject: ({ projects }) => projects.get(id),
  createProject: ({ projects }) => projects.create({ name: 'Shop' }),
  updateProject: ({ projects }) => projects.update(id, { name: 'Shop' }),
  deleteProject: ({ projects }) => projects.delete(id),
  regenerateApiKey: ({ projects }) => projects.regenerateKey(id),
  listProjectKeys: ({ projects }) => projects.keys.list(id, { limit: 1 }),
  getCurrentKey: ({ projects }) => projects.keys.current(),
  createProjectKey: ({ projects }) => projects.keys.create(id, { name: 'ci', scope: 'read' }),
  deleteProjectKey: ({ projects }) => projects.keys.delete(id, 'key_1'),
  listMonitors: ({ monitors }) => monitors.list({ limit: 1, cursor: 'c', key: 'k', name: 'n' }),
  getMonitor: ({ monitors }) => monitors.get(id),
  createMonitor: ({ monitors }) => monitors.create(monitor),
  updateMonitor: ({ monitors }) => monitors.update(id, { interval: 5 }),
  deleteMonitor: ({ monitors }) => monitors.delete(id),
  checkMonitor: ({ monitors }) => monitors.check(id),
  getStats: ({ monitors }) => monitors.stats(id),
  getDailyUptime: ({ monitors }) => monitors.dailyUptime(id, { from: '2026-01-01', to: '2026-01-02' }),
  getResponseTimes: ({ monitors }) => monitors.responseTimes(id, { from: '2026-01-01' }),
  getHeartbeatMetrics: ({ monitors }) => monitors.heartbeatMetrics(id),
  getMonitorEvents: ({ monitors }) => monitors.events(id),
  ping: ({ heartbeats }) => heartbeats.ping(id),
  pingWithMetrics: ({ heartbeats }) => heartbeats.ping(id, { metrics: { rows: 1 } }),
  pingSignal: ({ heartbeats }) => heartbeats.ping(id, { signal: 'start' }),
  pingSignalWithMetrics: ({ heartbeats }) => heartbeats.ping(id, { signal: 1, metrics: { rows: 1 } }),
  listIncidents: ({ incidents }) => incidents.list({ limit: 1 }),
  getIncident: ({ incidents }) => incidents.get(id),
  createIncident: ({ incidents }) => incidents.create({ title: 'Slow' }),
  updateIncident: ({ incidents }) => incidents.update(id, { status: 'resolved' }),
  deleteIncident: ({ incidents }) => incidents.delete(id),
  listStatusPages: ({ statusPages }) => statusPages.list({ key: 'k' }),
  getStatusPage: ({ statusPages }) => statusPages.get(id),
  createStatusPage: ({ statusPages }) => statusPages.create({ name: 'Shop', slug: 'shop' }),
  updateStatusPage: ({ statusPages }) => statusPages.update(id, { customDomain: null }),
  deleteStatusPage: ({ statusPages }) => statusPages.delete(id),
  verifyDomain: ({ statusPages }) => statusPages.verifyDomain(id),
  listChannels: ({ channels }) => channels.list({ name: 'n' }),
  createChannel: ({ channels }) =>
    channels.create({ type: 'sms', name: 'On call', config: { phoneNumber: '+15550100' } }),
  updateChannel: ({ channels }) => channels.update(id, { name: 'n' }),
  deleteChannel: ({ channels }) => channels.delete(id),
  testChannel: ({ channels }) => channels.test(id),
  confirmChannel: ({ channels }) => channels.confirm(id, '123456'),
  listAlertRules: ({ alertRules }) => alertRules.list(),
  createAlertRule: ({ alertRules }) => alertRules.create({ name: 'n', monitorIds: [id], channelIds: [id] }),
  updateAlertRule: ({ alertRules }) => alertRules.update(id, { enabled: false }),
  deleteAlertRule: ({ alertRules }) => alertRules.delete(id),
  listAlertHistory: ({ alertHistory }) => alertHistory.list({ to: '2026-01-02' }),
  getAlert: ({ alertHistory }) => alertHistory.get(id),
  listDeliveries: ({ alertHistory }) => alertHistory.deliveries({ alertId: id, status: 'failed' }),
  redeliver: ({ alertHistory }) => alertHistory.redeliver(id),
  listRegions: ({ regions }) => regions.list(),
  listProbes: ({ probes }) => probes.list(),
  addProbe: ({ probes }) => probes.add({ region: 'eu' }),
  revokeProbe: ({ probes }) => probes.revoke(id),
  listPlans: ({ billing }) => billing.plans(),
  getUsage: (uptime) => uptime.usage(),
  getSubscription: ({ billing }) => billing.subscription(),
  createCheckout: ({ billing }) => billing.checkout({ planId: id }),
  createPlan: ({ billing }) => billing.createPlan(plan),
  updatePlan: ({ billing }) => billing.updatePlan(id, { price: 1 }),
  deletePlan: ({ billing }) => billing.deletePlan(id),
  billingWebhook: ({ billing }) => billing.webhook({ id: 'evt_1' }, { headers: { 'stripe-signature': 's' } }),
  getHealth: (uptime) => uptime.health(),
};

test('the table of this file has a call for every endpoint', () => {
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(allEndpoints).toSorted());
});

test.each(Object.entries(calls))(
  'the call of the endpoint %s sends the method, path, body and query of the contract',
  async (name, call) => {
    const endpoint: Endpoint = allEndpoints[name as keyof typeof calls];
    const seen: { method: string; url: URL; headers: Headers; body: string | null }[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const body = request.body ? await request.text() : null;
      seen.push({ method: request.method, url: new URL(request.url), headers: request.headers, body });
      return endpoint.status === 204
        ? new Response(null, { status: 204 })
        : Response.json({}, { status: endpoint.status });
    };
    await call(new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_key', fetch }));

    expect(seen.length).toBe(1);
    const { method, url, headers, body } = seen[0]!;
    const path = `${endpoint.site ? '' : '/api'}${endpoint.path}`.replaceAll(/:\w+/g, '[^/]+');
    expect(method).toBe(endpoint.method);
    expect(url.pathname).toMatch(new RegExp(`^${path}$`));
    expect(headers.has('idempotency-key')).toBe(endpoint.creates === true);
    if (endpoint.access === 'ping') expect(headers.has('x-api-key')).toBe(false);
    if (endpoint.body) expect(endpoint.body.safeParse(JSON.parse(body!)).error).toBeUndefined();
    else if (endpoint.access !== 'ping') expect(body).toBeNull();
    if (endpoint.query) expect(endpoint.query.safeParse(Object.fromEntries(url.searchParams)).error).toBeUndefined();
  },
);
