import { allEndpoints, type ErrorCode, maxIncidentUpdates } from '@uptime/sdk/contract';
import { ServiceError } from '../errors.ts';
import type { Documented } from '../http/openapi.ts';
import { bodies, create, type ErrorsWorld, pathOf } from './errors-world.ts';

/** Sends an endpoint a request that leads to an error. */
export type Provoke = (operation: string, endpoint: Documented) => Promise<{ status: number; body: unknown }>;

/** Returns, for each error code, the function that provokes this error on any endpoint that documents it. */
export function provocations(world: ErrorsWorld): { [C in ErrorCode]?: Provoke } {
  const { daemon, throttled, charging, confirming, unconfirmedId, paidPlan, stranger, ids, activeId, pingKey } = world;
  const path = (endpoint: Documented, replaced = ids) => pathOf(endpoint, replaced);
  const credential = (endpoint: Documented) => (isBySession(endpoint) ? { cookie: daemon.cookie } : {});

  const provoke: { [C in ErrorCode]?: Provoke } = {
    unauthenticated: (operation, endpoint) =>
      daemon.request(endpoint.method, path(endpoint), bodies[operation], { apiKey: null }),

    forbidden: async (operation, endpoint) => {
      if (operation === 'signUp') {
        const headers = { origin: 'https://evil.example' };
        return daemon.request('POST', path(endpoint), bodies[operation], { cookie: daemon.cookie, headers });
      }
      if (endpoint.method === 'GET' && !isBySession(endpoint)) {
        return daemon.request('GET', path(endpoint), undefined, { apiKey: pingKey });
      }
      const headers = { origin: 'https://evil.example', 'x-project-id': daemon.project.id };
      const options = isBySession(endpoint) ? {} : { cookie: daemon.cookie, headers };
      return daemon.request(endpoint.method, path(endpoint), bodies[operation], options);
    },

    not_found: (operation, endpoint) => {
      const token = 'a'.repeat(32);
      if (endpoint.access === 'ping') {
        return daemon.request(endpoint.method, path(endpoint, { token, signal: 'start' }), undefined, { apiKey: null });
      }
      if (!endpoint.path.includes(':')) {
        const headers = { 'x-project-id': 'prj_nobody' };
        return daemon.request(endpoint.method, path(endpoint), bodies[operation], { cookie: daemon.cookie, headers });
      }
      const by = isBySession(endpoint) ? { cookie: daemon.cookie } : { apiKey: stranger.apiKey };
      return daemon.request(endpoint.method, path(endpoint, { ...ids, slug: 'nobody' }), bodies[operation], by);
    },

    invalid_request: (operation, endpoint) => {
      if (endpoint.access === 'ping') return daemon.request('POST', path(endpoint), '{"a":[]}', { apiKey: null });
      if (endpoint.body) return daemon.request(endpoint.method, path(endpoint), { unknown: 1 }, credential(endpoint));
      return daemon.request(endpoint.method, `${path(endpoint)}?unknown=1`, undefined, credential(endpoint));
    },

    payload_too_large: (_, endpoint) =>
      daemon.request(endpoint.method, path(endpoint), `"${'x'.repeat(1024 * 1024)}"`, credential(endpoint)),

    unsupported_media_type: (_, endpoint) => {
      if (endpoint.access === 'ping') {
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        return daemon.request('POST', path(endpoint), '{}', { apiKey: null, headers });
      }
      const headers = { 'content-type': 'text/plain' };
      return daemon.request(endpoint.method, path(endpoint), 'x', { ...credential(endpoint), headers });
    },

    conflict: async (operation, endpoint) => {
      if (operation === 'signUp') {
        const body = { ...(bodies[operation] as object), email: daemon.email };
        return daemon.request('POST', path(endpoint), body, { apiKey: null });
      }
      if (['checkMonitor', 'redeliver', 'verifyDomain'].includes(operation))
        return daemon.request('POST', path(endpoint));
      if (operation === 'testChannel') return confirming.request('POST', path(endpoint, { channelId: unconfirmedId }));
      if (operation === 'confirmChannel') return daemon.request('POST', path(endpoint), bodies[operation]);
      if (operation === 'updatePlan' || operation === 'deletePlan') {
        const options = credential(endpoint);
        return daemon.request(
          endpoint.method,
          path(endpoint, { planId: 'pln_self_hosted' }),
          bodies[operation],
          options,
        );
      }
      if (operation === 'addProbe')
        return daemon.request('POST', path(endpoint), { region: 'default' }, credential(endpoint));
      if (operation === 'createCheckout')
        return daemon.request('POST', path(endpoint), bodies[operation], credential(endpoint));
      if (operation === 'updateIncident')
        return daemon.request('PATCH', path(endpoint, { incidentId: await fullIncident(world) }), {
          message: 'one more',
        });
      const other = {
        updateMonitor: () => create(daemon, 'createMonitor').then((monitorId) => ({ monitorId })),
        updateChannel: () => create(daemon, 'createChannel').then((channelId) => ({ channelId })),
        updateStatusPage: () =>
          create(daemon, 'createStatusPage', { slug: 'second' }).then((statusPageId) => ({ statusPageId })),
        updateAlertRule: () => create(daemon, 'createAlertRule').then((ruleId) => ({ ruleId })),
      }[operation];
      if (other) return daemon.request('PATCH', path(endpoint, await other()), { key: 'taken' });
      const options = { ...credential(endpoint), headers: { 'idempotency-key': 'errors' } };
      await daemon.request('POST', path(endpoint), bodies[operation], options);
      const body = bodies[operation] as object;
      const another = { ...body, ['title' in body ? 'title' : 'name']: 'other' };
      return daemon.request('POST', path(endpoint), another, options);
    },

    rate_limited: async (operation, endpoint) => {
      const options = isBySession(endpoint)
        ? { cookie: throttled.cookie }
        : endpoint.access === 'public'
          ? { apiKey: null }
          : {};
      const ask = () => throttled.request('POST', path(endpoint), bodies[operation], options);
      for (let attempt = 0; attempt < 10; attempt++) await ask();
      return ask();
    },

    delivery_failed: (operation, endpoint) => {
      if (operation === 'createCheckout')
        return charging.request('POST', path(endpoint), { planId: paidPlan }, { cookie: charging.cookie });
      if (operation === 'confirmChannel')
        return confirming.request('POST', path(endpoint, { channelId: unconfirmedId }), {});
      return daemon.request('POST', path(endpoint));
    },

    plan_limit_exceeded: async (operation, endpoint) => {
      if (!operation.endsWith('Monitor')) return beyondPlan(world, operation, endpoint);
      const fields = { type: 'tcp', name: 'x', host: 'localhost', port: 1 };
      if (operation === 'createMonitor') return charging.request('POST', '/api/monitors', { ...fields, interval: 59 });
      const made = await charging.request('POST', '/api/monitors', fields);
      return charging.request('PATCH', `/api/monitors/${(made.body as { id: string }).id}`, { interval: 59 });
    },

    unavailable: async (operation, endpoint) => {
      if ((endpoint.method === 'GET' && endpoint.access !== 'ping') || isWrittenByLibrary(operation)) {
        world.delayLoop(10_000);
        // The slug names a page that is not cached, because cached pages are served even under load.
        const answer = daemon.request(
          endpoint.method,
          path(endpoint, { ...ids, slug: 'not-cached' }),
          bodies[operation],
          credential(endpoint),
        );
        return answer.finally(() => world.delayLoop(0));
      }
      // Simulates a full disk. A database that another process locks for too long leads to the same error.
      const { store } = daemon;
      const at = path(endpoint, {
        ...ids,
        ...(operation === 'checkMonitor' && { monitorId: activeId }),
        ...(operation === 'verifyDomain' && {
          statusPageId: await create(daemon, 'createStatusPage', { slug: 'named', customDomain: 'named.example.com' }),
        }),
      });
      const write = store.write.bind(store);
      store.write = () =>
        Promise.reject(new ServiceError('unavailable', 'The disk is full.', { retryAfterSeconds: 5 }));
      try {
        const options = endpoint.access === 'ping' ? { apiKey: null } : credential(endpoint);
        return await daemon.request(endpoint.method, at, bodies[operation], options);
      } finally {
        store.write = write;
      }
    },
  };

  return provoke;
}

/** Sends a request that exceeds the plan, for any resource except monitors. */
async function beyondPlan({ charging, freePlan, ids }: ErrorsWorld, operation: string, endpoint: Documented) {
  const allow = (limit: number | null) =>
    charging.request(
      'PATCH',
      `/api/billing/plans/${freePlan}`,
      { projects: limit, keys: limit, storageMegabytes: limit },
      { cookie: charging.cookie },
    );
  const options = isBySession(endpoint) ? { cookie: charging.cookie } : {};
  const creates = operation.replace('update', 'create') as 'createChannel';
  const body = bodies[creates] as object;
  // The project in `ids` does not exist on this daemon. `current` names the project of the key.
  let paths: Record<string, string> = { ...ids, projectId: 'current' };
  if (operation !== creates) {
    const made = await charging.request('POST', pathOf(allEndpoints[creates], ids), body, options);
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

/** Creates an incident with as many updates as the server allows. Returns its id. */
async function fullIncident({ daemon }: ErrorsWorld): Promise<string> {
  const id = await create(daemon, 'createIncident');
  const { seq: incident } = await daemon.store.db
    .selectFrom('incident')
    .select('seq')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const updates = Array.from({ length: maxIncidentUpdates }, (_, at) => ({
    id: `upd_full_${at}`,
    incident,
    status: 'investigating' as const,
    message: '',
    created_at: 0,
  }));
  await daemon.store.write((trx) => trx.insertInto('incident_update').values(updates).execute());
  return id;
}

const isBySession = (endpoint: Documented) => endpoint.access === 'session' || endpoint.access === 'admin';

/**
 * Whether an operation writes without the store. A library stores accounts, and the payment provider stores checkouts.
 */
const isWrittenByLibrary = (operation: string): boolean =>
  ['createCheckout', 'signUp', 'signIn', 'signOut', 'changePassword', 'revokeSession'].includes(operation);
