import { allEndpoints, type ErrorCode, errorStatus, mostIncidentUpdates } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import { handlers } from '../resources/index.ts';
import { createPlans } from '../testing/billing.ts';
import { alertRow } from '../testing/outbox.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';
import { type Documented, documentedEndpoints, errorsOf } from './openapi.ts';

let daemon: TestDaemon;
let throttled: TestDaemon;
/** A daemon that charges for plans, whose payment provider does not answer. */
let charging: TestDaemon;
let freePlan: string;
/** Where addresses are confirmed by a code, and no mail server takes one. */
let confirming: TestDaemon;
let unconfirmedId: string;
let paidPlan: string;
let stranger: TestUser;
let ids: Record<string, string>;
let activeId: string;
let loopDelayMs = 0;

beforeAll(async () => {
  daemon = await createTestDaemon({
    runCheck: passingCheck,
    env: { UPTIME_DNS_SERVERS: '127.0.0.1:1' },
    loopDelayMs: () => loopDelayMs,
  });
  throttled = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_RATE_LIMIT: 'on' } });
  charging = await createTestDaemon({
    runCheck: passingCheck,
    env: { UPTIME_BILLING: 'stripe', UPTIME_STRIPE_SECRET_KEY: 'x', UPTIME_STRIPE_API_URL: 'http://127.0.0.1:1' },
  });
  confirming = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_CONFIRM_ADDRESSES: 'on' } });
  const mail = { type: 'email', name: 'm', config: { address: 'ops@example.com' } };
  unconfirmedId = ((await confirming.request('POST', '/api/notification-channels', mail)).body as { id: string }).id;
  const limits = { monitors: 1, checkInterval: 60, regions: 1 };
  const [free, paid] = await createPlans(charging, [
    { name: 'free', ...limits, price: 0 },
    { name: 'paid', ...limits, price: 1 },
  ]);
  freePlan = free!.id;
  paidPlan = paid!.id;
  stranger = await daemon.another('stranger');
  const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'h', key: 'taken' });
  const { id, pingUrl } = made.body as { id: string; pingUrl: string };
  const active = await daemon.request('POST', '/api/monitors', { type: 'tcp', name: 'a', host: 'localhost', port: 1 });
  activeId = (active.body as { id: string }).id;
  ids = {
    monitorId: id,
    projectId: daemon.project.id,
    token: pingUrl.split('/').at(-1)!,
    signal: 'start',
    channelId: await create('createChannel', { key: 'taken' }),
    ruleId: await create('createAlertRule', { key: 'taken' }),
    incidentId: await create('createIncident'),
    statusPageId: await create('createStatusPage', { slug: 'first', key: 'taken' }),
    deliveryId: await pendingDelivery(daemon.store.db, daemon.project.id),
  };
});
afterAll(() => Promise.all([daemon, throttled, charging, confirming].map((one) => one.close())));

type Provoke = (operation: string, endpoint: Documented) => Promise<{ status: number; body: unknown }>;

async function create(
  operation: 'createChannel' | 'createAlertRule' | 'createIncident' | 'createMonitor' | 'createStatusPage',
  more = {},
) {
  const body = { ...(bodies[operation] as object), ...more };
  const made = await daemon.request('POST', pathOf(allEndpoints[operation]), body);
  return (made.body as { id: string }).id;
}

/** A message that becomes due only after these tests. */
async function pendingDelivery(db: TestDaemon['store']['db'], project: string): Promise<string> {
  const { seq: channel } = await db.selectFrom('channel').select('seq').executeTakeFirstOrThrow();
  const { seq: alert } = await db
    .insertInto('alert')
    .values(alertRow('alr_1', { channel, at: 0, project_id: project }))
    .returning('seq')
    .executeTakeFirstOrThrow();
  const state = { status: 'pending' as const, next_at: Date.now() + 1e9, created_at: 0, finished_at: null };
  await db
    .insertInto('delivery')
    .values({ id: 'dlv_1', alert, channel, lane: '', kind: 'alarm', notice: '{}', ...state })
    .execute();
  return 'dlv_1';
}

/** A body that matches the endpoint's schema. Nothing listens at the channel's address. */
const bodies: Record<string, unknown> = {
  signUp: { name: 'x', email: 'errors@example.com', password: 'long enough' },
  signIn: { email: 'ada@example.com', password: 'wrong' },
  changePassword: { currentPassword: 'wrong', newPassword: 'long enough' },
  createProject: { name: 'x' },
  updateProject: { name: 'x' },
  createMonitor: { type: 'heartbeat', name: 'x' },
  updateMonitor: { name: 'x', interval: 61 },
  createChannel: { type: 'slack', name: 'x', config: { webhookUrl: 'http://127.0.0.1:1/' } },
  updateChannel: { name: 'y' },
  confirmChannel: {},
  createAlertRule: { name: 'x', monitorIds: [], channelIds: [] },
  updateAlertRule: { name: 'y' },
  createIncident: { title: 'x' },
  updateIncident: { title: 'y' },
  createStatusPage: { name: 'x', slug: 'x' },
  updateStatusPage: { name: 'y' },
  createPlan: { name: 'x', monitors: 1, checkInterval: 60, regions: 1, price: 1 },
  updatePlan: { price: 2 },
  createCheckout: { planId: 'x' },
};

function pathOf(endpoint: Documented, replaced: Record<string, string> = ids): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => replaced[name] ?? 'x');
  return `${endpoint.site ? '' : '/api'}${path}`;
}

const bySession = (endpoint: Documented) => endpoint.access === 'session' || endpoint.access === 'admin';
const credential = (endpoint: Documented) => (bySession(endpoint) ? { cookie: daemon.cookie } : {});

/** For each code, how to provoke it on any endpoint that documents it. */
const provoke: { [C in ErrorCode]?: Provoke } = {
  unauthenticated: (operation, endpoint) =>
    daemon.request(endpoint.method, pathOf(endpoint), bodies[operation], { apiKey: null }),

  forbidden: async (operation, endpoint) => {
    if (operation === 'signUp') {
      const headers = { origin: 'https://evil.example' };
      return daemon.request('POST', pathOf(endpoint), bodies[operation], { cookie: daemon.cookie, headers });
    }
    const headers = { origin: 'https://evil.example', 'x-project-id': daemon.project.id };
    const options = bySession(endpoint) ? {} : { cookie: daemon.cookie, headers };
    return daemon.request(endpoint.method, pathOf(endpoint), bodies[operation], options);
  },

  not_found: (operation, endpoint) => {
    const token = 'a'.repeat(32);
    if (endpoint.access === 'ping') {
      return daemon.request(endpoint.method, pathOf(endpoint, { token, signal: 'start' }), undefined, { apiKey: null });
    }
    if (!endpoint.path.includes(':')) {
      const headers = { 'x-project-id': 'prj_nobody' };
      return daemon.request(endpoint.method, pathOf(endpoint), bodies[operation], { cookie: daemon.cookie, headers });
    }
    const by = bySession(endpoint) ? { cookie: daemon.cookie } : { apiKey: stranger.apiKey };
    return daemon.request(endpoint.method, pathOf(endpoint, { ...ids, slug: 'nobody' }), bodies[operation], by);
  },

  invalid_request: (operation, endpoint) => {
    if (endpoint.access === 'ping') return daemon.request('POST', pathOf(endpoint), '{"a":[]}', { apiKey: null });
    if (endpoint.body) return daemon.request(endpoint.method, pathOf(endpoint), { unknown: 1 }, credential(endpoint));
    return daemon.request(endpoint.method, `${pathOf(endpoint)}?unknown=1`, undefined, credential(endpoint));
  },

  payload_too_large: (_, endpoint) =>
    daemon.request(endpoint.method, pathOf(endpoint), `"${'x'.repeat(1024 * 1024)}"`, credential(endpoint)),

  unsupported_media_type: (_, endpoint) => {
    if (endpoint.access === 'ping') {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return daemon.request('POST', pathOf(endpoint), '{}', { apiKey: null, headers });
    }
    const headers = { 'content-type': 'text/plain' };
    return daemon.request(endpoint.method, pathOf(endpoint), 'x', { ...credential(endpoint), headers });
  },

  conflict: async (operation, endpoint) => {
    if (operation === 'signUp') {
      const body = { ...(bodies[operation] as object), email: daemon.email };
      return daemon.request('POST', pathOf(endpoint), body, { apiKey: null });
    }
    if (['checkMonitor', 'redeliver', 'verifyDomain'].includes(operation))
      return daemon.request('POST', pathOf(endpoint));
    if (operation === 'testChannel') return confirming.request('POST', pathOf(endpoint, { channelId: unconfirmedId }));
    if (operation === 'confirmChannel') return daemon.request('POST', pathOf(endpoint), bodies[operation]);
    if (operation === 'updatePlan' || operation === 'deletePlan') {
      const options = credential(endpoint);
      return daemon.request(
        endpoint.method,
        pathOf(endpoint, { planId: 'pln_self_hosted' }),
        bodies[operation],
        options,
      );
    }
    if (operation === 'createCheckout')
      return daemon.request('POST', pathOf(endpoint), bodies[operation], credential(endpoint));
    if (operation === 'updateIncident')
      return daemon.request('PATCH', pathOf(endpoint, { incidentId: await fullIncident() }), { message: 'one more' });
    const other = {
      updateMonitor: () => create('createMonitor').then((monitorId) => ({ monitorId })),
      updateChannel: () => create('createChannel').then((channelId) => ({ channelId })),
      updateStatusPage: () => create('createStatusPage', { slug: 'second' }).then((statusPageId) => ({ statusPageId })),
      updateAlertRule: () => create('createAlertRule').then((ruleId) => ({ ruleId })),
    }[operation];
    if (other) return daemon.request('PATCH', pathOf(endpoint, await other()), { key: 'taken' });
    const options = { ...credential(endpoint), headers: { 'idempotency-key': 'errors' } };
    await daemon.request('POST', pathOf(endpoint), bodies[operation], options);
    const body = bodies[operation] as object;
    const another = { ...body, ['title' in body ? 'title' : 'name']: 'other' };
    return daemon.request('POST', pathOf(endpoint), another, options);
  },

  rate_limited: async (operation, endpoint) => {
    const options = bySession(endpoint)
      ? { cookie: throttled.cookie }
      : endpoint.access === 'public'
        ? { apiKey: null }
        : {};
    const ask = () => throttled.request('POST', pathOf(endpoint), bodies[operation], options);
    for (let attempt = 0; attempt < 10; attempt++) await ask();
    return ask();
  },

  delivery_failed: (operation, endpoint) => {
    if (operation === 'createCheckout')
      return charging.request('POST', pathOf(endpoint), { planId: paidPlan }, { cookie: charging.cookie });
    if (operation === 'confirmChannel')
      return confirming.request('POST', pathOf(endpoint, { channelId: unconfirmedId }), {});
    return daemon.request('POST', pathOf(endpoint));
  },

  plan_limit_exceeded: async (operation, endpoint) => {
    if (!operation.endsWith('Monitor')) return beyondPlan(operation, endpoint);
    const fields = { type: 'tcp', name: 'x', host: 'localhost', port: 1 };
    if (operation === 'createMonitor') return charging.request('POST', '/api/monitors', { ...fields, interval: 59 });
    const made = await charging.request('POST', '/api/monitors', fields);
    return charging.request('PATCH', `/api/monitors/${(made.body as { id: string }).id}`, { interval: 59 });
  },

  unavailable: async (operation, endpoint) => {
    if ((endpoint.method === 'GET' && endpoint.access !== 'ping') || writtenByLibrary.includes(operation)) {
      loopDelayMs = 10_000;
      // A cached page is still served.
      const path = pathOf(endpoint, { ...ids, slug: 'not-cached' });
      const answer = daemon.request(endpoint.method, path, bodies[operation], credential(endpoint));
      return answer.finally(() => (loopDelayMs = 0));
    }
    // The disk may be full, or another process may lock the database for too long.
    const { store } = daemon;
    const path = pathOf(endpoint, {
      ...ids,
      ...(operation === 'checkMonitor' && { monitorId: activeId }),
      ...(operation === 'verifyDomain' && {
        statusPageId: await create('createStatusPage', { slug: 'named', customDomain: 'named.example.com' }),
      }),
    });
    const write = store.write.bind(store);
    store.write = () => Promise.reject(new ServiceError('unavailable', 'The disk is full.', { retryAfterSeconds: 5 }));
    try {
      const options = endpoint.access === 'ping' ? { apiKey: null } : credential(endpoint);
      return await daemon.request(endpoint.method, path, bodies[operation], options);
    } finally {
      store.write = write;
    }
  },
};

/** Asks for more of anything except monitors, where the plan has no room left. */
async function beyondPlan(operation: string, endpoint: Documented) {
  const allow = (limit: number | null) =>
    charging.request(
      'PATCH',
      `/api/billing/plans/${freePlan}`,
      { projects: limit, storageMegabytes: limit },
      { cookie: charging.cookie },
    );
  const options = bySession(endpoint) ? { cookie: charging.cookie } : {};
  const creates = operation.replace('update', 'create') as 'createChannel';
  const body = bodies[creates] as object;
  let paths = {};
  if (operation !== creates) {
    const made = await charging.request('POST', pathOf(allEndpoints[creates]), body, options);
    const { id } = made.body as { id: string };
    paths = { channelId: id, ruleId: id, incidentId: id, statusPageId: id };
  }
  await allow(0);
  const longer = { ['title' in body ? 'title' : 'name']: 'a longer text' };
  try {
    return await charging.request(
      endpoint.method,
      pathOf(endpoint, paths),
      operation === creates ? body : longer,
      options,
    );
  } finally {
    await allow(null);
  }
}

/** An incident with the most updates allowed. */
async function fullIncident(): Promise<string> {
  const id = await create('createIncident');
  const { seq: incident } = await daemon.store.db
    .selectFrom('incident')
    .select('seq')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const updates = Array.from({ length: mostIncidentUpdates }, (_, at) => ({
    id: `upd_full_${at}`,
    incident,
    status: 'investigating' as const,
    message: '',
    created_at: 0,
  }));
  await daemon.store.write((trx) => trx.insertInto('incident_update').values(updates).execute());
  return id;
}

/** Operations that do not write through the store: they are unavailable only when the server has too much to do. */
const writtenByLibrary = ['createCheckout', 'signUp', 'signIn', 'signOut', 'changePassword', 'revokeSession'];

const implemented = Object.entries(documentedEndpoints).filter(
  ([operation]) =>
    operation in handlers || !(operation in allEndpoints) || documentedEndpoints[operation]!.access === 'ping',
);
const documented = implemented.flatMap(([operation, endpoint]) =>
  errorsOf(endpoint).map((code) => [operation, code] as const),
);

test.each(documented)('%s answers %s', async (operation, code) => {
  const how = provoke[code];
  if (!how) throw new Error(`No test knows how to provoke ${code}.`);
  const endpoint = documentedEndpoints[operation]!;
  const answer = await how(operation, endpoint);
  const body = endpoint.method === 'HEAD' ? undefined : { code, status: errorStatus[code] };
  expect(answer).toMatchObject({ status: errorStatus[code], body });
});
