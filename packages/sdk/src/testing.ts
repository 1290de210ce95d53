import { type ErrorCode, errorStatus, type Fault, isPassive, monitorType, validateMonitor } from './contract/index.ts';
import type { Monitor, Project } from './types.ts';

/** The error that the fake server returns for the next request. */
export interface FakeFailure {
  status?: number;
  code?: ErrorCode;
  detail?: string;
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
}

/** A ping that the fake server received. */
export interface FakePing {
  monitorId: string;
  signal: string | null;
  metrics: Record<string, string | number> | null;
}

/** A server in memory. Pass its `fetch` to a client. */
export interface FakeServer {
  /** For the client's `fetch` option. */
  fetch: typeof globalThis.fetch;
  /** For the client's `siteUrl` option. No server listens at this address. */
  siteUrl: string;
  /** For the client's `apiKey` option. */
  apiKey: string;
  /** Every request that the server got, as `"GET /api/monitors"`. */
  requests: string[];
  /** Every ping that the server got. */
  pings: FakePing[];
  /** Queues a failure. Each request gets the first failure of the queue, until the queue is empty. */
  failNext: (failure?: FakeFailure) => void;
  /** Sets the status of a monitor, as a check would. Throws for an unknown id. */
  setStatus: (monitorId: string, status: Monitor['status']) => void;
}

type Row = { id: string } & Record<string, unknown>;

/** Each collection with its id prefix and the defaults of its fields. */
const collections: Record<string, { prefix: string; defaults: () => object }> = {
  monitors: { prefix: 'mon', defaults: () => ({}) },
  incidents: {
    prefix: 'inc',
    defaults: () => ({ managedBy: null, status: 'investigating', monitorIds: [], updates: [] }),
  },
  'status-pages': {
    prefix: 'pag',
    defaults: () => ({ managedBy: null, monitorIds: [], customDomain: null, domain: null }),
  },
  'notification-channels': { prefix: 'chn', defaults: () => ({ managedBy: null }) },
  'alert-rules': {
    prefix: 'rul',
    defaults: () => ({ managedBy: null, trigger: 'monitor_down', consecutiveFailures: 1, enabled: true }),
  },
  projects: { prefix: 'prj', defaults: () => ({}) },
};

/**
 * Creates a fake uptime server for your own tests. It validates monitors and fills in their defaults. It records pings,
 * and stores projects and the other resources as plain records. It supports paging, and returns errors on demand. It
 * keeps everything in memory and runs no checks.
 *
 * @example
 * const server = createFakeServer();
 * const uptime = new Uptime(server);
 * server.failNext({ status: 503, retryAfter: 0 });
 * await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' }); // the client retries
 */
export function createFakeServer(): FakeServer {
  const siteUrl = 'http://uptime.test';
  const apiKey = `uptime_${'test'.repeat(8)}`;
  const failures: FakeFailure[] = [];
  const requests: string[] = [];
  const pings: FakePing[] = [];
  const { rows, create, list, one } = createCollections(siteUrl, apiKey);

  function ping(token: string, signal: string | null, body: object | null): Response {
    const monitor = rows.get('monitors')!.find(({ id }) => id === token);
    if (!monitor) return failure({ code: 'not_found' });
    pings.push({ monitorId: token, signal, metrics: body as FakePing['metrics'] });
    const failed = signal === 'fail' || Number(signal ?? 0) > 0;
    if (signal !== 'start') Object.assign(monitor, { status: failed ? 'down' : 'up', lastPingAt: now() });
    return answer(200, { ok: true });
  }

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}`);
    const failing = failures.shift();
    if (failing) return failure(failing);
    const text = await request.text();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : null;
    const [root, name = '', id, action] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (root === 'ping') return ping(name, id ?? null, body);
    if (root === 'healthz') return answer(200, { status: 'ok', version: 'fake', reason: null, warnings: [] });
    if (name === 'auth' && id === 'get-session') return answer(200, null);
    if (!rows.has(name) || action)
      return failure({ code: 'not_implemented', detail: `The fake server does not support ${url.pathname}.` });
    if (request.headers.get('x-api-key') !== apiKey) return failure({ code: 'unauthenticated' });
    if (id !== undefined) return one(request.method, name, id, body ?? {});
    return request.method === 'POST' ? create(name, body ?? {}) : list(name, url);
  }

  return {
    fetch: (input, init) => respond(new Request(input, init)),
    siteUrl,
    apiKey,
    requests,
    pings,
    failNext: (failure = {}) => void failures.push(failure),
    setStatus: (monitorId, status) => {
      const monitor = rows.get('monitors')!.find(({ id }) => id === monitorId);
      if (!monitor) throw new Error(`The fake server has no monitor ${monitorId}.`);
      Object.assign(monitor, { status, lastCheckedAt: now() });
    },
  };
}

const now = () => new Date().toISOString();

/** Returns the records of the fake server, and the functions that answer requests for them. */
function createCollections(siteUrl: string, apiKey: string) {
  const rows = new Map<string, Row[]>(Object.keys(collections).map((name) => [name, []]));
  let idCount = 0;

  const nextId = (prefix: string) => `${prefix}_${String(++idCount).padStart(6, '0')}`;
  const project: Project = { id: nextId('prj'), name: 'Test', apiKey, createdAt: now(), updatedAt: now() };
  rows.get('projects')!.push({ ...project });

  function create(collection: string, body: Record<string, unknown>): Response {
    const { prefix, defaults } = collections[collection]!;
    const id = nextId(prefix);
    const times = { createdAt: now(), updatedAt: now() };
    let fields: object = { ...defaults(), ...body };
    if (collection === 'monitors') {
      const parsed = validateMonitor(body);
      if (!parsed.ok) return failure({ code: 'invalid_request' }, parsed.faults);
      const state = { projectId: project.id, status: 'pending', lastCheckedAt: null, nextCheckAt: null };
      const readOnly = monitorType(parsed.value.type).readOnly.map((field) => [field, null]);
      const own = {
        ...Object.fromEntries(readOnly),
        ...(isPassive(parsed.value) && { pingUrl: `${siteUrl}/ping/${id}` }),
      };
      fields = { ...parsed.value, ...state, ...own };
    }
    const row: Row = { id, ...fields, ...times };
    if (collection === 'projects') row['apiKey'] = `uptime_${id.padEnd(32, '0')}`;
    rows.get(collection)!.push(row);
    return answer(201, row);
  }

  function list(collection: string, url: URL): Response {
    const wanted = ['key', 'name'].filter((field) => url.searchParams.has(field));
    const all = rows
      .get(collection)!
      .filter((row) => wanted.every((field) => row[field] === url.searchParams.get(field)));
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? all.length);
    const response = answer(200, all.slice(start, start + limit));
    if (start + limit < all.length) {
      url.searchParams.set('cursor', String(start + limit));
      response.headers.set('link', `<${url.href}>; rel="next"`);
    }
    return response;
  }

  function one(method: string, collection: string, id: string, body: object): Response {
    const all = rows.get(collection)!;
    const index = all.findIndex((row) => row.id === id);
    const row = all[index];
    if (!row) return failure({ code: 'not_found' });
    if (method === 'DELETE') all.splice(index, 1);
    if (method === 'PATCH') Object.assign(row, body, { updatedAt: now() });
    return method === 'DELETE' ? answer(204, null) : answer(200, row);
  }

  return { rows, create, list, one };
}

const answer = (status: number, body: unknown) =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: status === 204 ? {} : { 'content-type': 'application/json' },
  });

function failure({ status, code, detail, retryAfter }: FakeFailure, errors?: readonly Fault[]): Response {
  const known = Object.entries(errorStatus).find(([, value]) => value === status)?.[0] as ErrorCode | undefined;
  const kind = code ?? known ?? 'internal';
  const problem = {
    type: 'about:blank',
    title: kind,
    status: status ?? errorStatus[kind],
    code: kind,
    requestId: 'fake',
  };
  const headers = {
    'content-type': 'application/problem+json',
    ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
  };
  return new Response(
    JSON.stringify({
      ...problem,
      detail: detail ?? `The fake server returns ${kind}.`,
      errors: errors?.map(({ path, message }) => ({ path, message })),
    }),
    {
      status: problem.status,
      headers,
    },
  );
}
