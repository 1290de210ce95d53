import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import type { Operation } from '../resources/handler.ts';
import { anyText } from './any-text.ts';
import { arbitraryFor, bodySchemas, jsonSchema } from './body-schema.ts';
import { measureLongestTurn } from './longest-turn.ts';
import { monitorSamples } from './monitor-samples.ts';
import { type Param, signInAgain, unknownIds } from './isolation-world.ts';
import type { TestDaemon, TestUser } from './test-daemon.ts';

export interface FuzzOptions {
  /** Number of requests. */
  requests: number;
  seed: number;
  /** Another user on the same server. */
  stranger: TestUser;
  /** Called after each thousand requests. */
  onProgress?: (sent: number) => void;
}

export interface FuzzReport {
  /** The number of answers with each status. */
  statuses: Map<number, number>;
  /** The server's faults, with the requests that caused them. */
  faults: string[];
  /** The most processor time that one turn of the event loop took, and the request during that turn. */
  longestTurn: { ms: number; request: string };
}

interface Drawn {
  operation: Operation;
  endpoint: Endpoint;
  /** The id for each path parameter: that of an existing resource (`known`), an unknown id, or an odd text. */
  ids: { kind: 'known' | 'unknown' | 'odd'; which: number; odd: string }[];
  query: unknown;
  body: unknown;
  /** Whether the lists of ids in the body are replaced by ids of existing resources. */
  namesKnown: boolean;
  credential: 'key' | 'session' | 'stranger' | 'none';
  contentType: string;
  idempotencyKey: string | null;
}

const oddPaths = [
  '%',
  '%zz',
  '%00',
  '%ff',
  '..',
  '%2e%2e%2f',
  'x'.repeat(3000),
  "';--",
  '%F0%9F%92%A5',
  '__proto__',
  '//',
  '?',
  '#',
];
const otherTypes = ['application/merge-patch+json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', ''];

/** Valid bodies, so that there are always resources to change, to refer to and to delete. */
const validBodies: Partial<Record<Operation, fc.Arbitrary<object>>> = {
  createProject: fc.constant({ name: 'x' }),
  updateProject: fc.constant({ name: 'y' }),
  createMonitor: fc.constantFrom(...monitorSamples),
  updateMonitor: fc.constantFrom({ name: 'y' }, { interval: 7 }, { paused: true }, { paused: false }),
  createIncident: fc.constantFrom(
    { title: 'x', monitorIds: [] },
    {
      title: 'x',
      monitorIds: [],
      maintenance: true,
      scheduledStart: '2020-01-01T00:00:00Z',
      scheduledEnd: '2099-01-01T00:00:00Z',
    },
  ),
  updateIncident: fc.constantFrom({ status: 'resolved' }, { message: 'x' }, { monitorIds: [] }),
  createStatusPage: fc.nat().map((n) => ({ name: 'x', slug: `page-${n}`, monitorIds: [] })),
  updateStatusPage: fc.constantFrom({ name: 'y' }, { monitorIds: [] }),
  createChannel: fc.constant({ type: 'email', name: 'x', config: { address: 'ops@example.com' } }),
  updateChannel: fc.constant({ name: 'y' }),
  createAlertRule: fc.constant({ name: 'x', monitorIds: [], channelIds: [] }),
  updateAlertRule: fc.constantFrom({ name: 'y' }, { monitorIds: [] }, { enabled: false }),
};

const drawn = (operation: Operation): fc.Arbitrary<Drawn> => {
  const endpoint: Endpoint = allEndpoints[operation];
  const schemas = bodySchemas(operation).map(arbitraryFor);
  const raw = fc.constantFrom('', '{', 'null', '[]', '{"a":1,"a":2}', '"x"', '['.repeat(5000), '\0', '{"__proto__":1}');
  const plain = validBodies[operation];
  const body = fc.oneof(
    { weight: 1, arbitrary: raw },
    ...(schemas.length > 0 ? [{ weight: 9, arbitrary: fc.oneof(...schemas) }] : []),
    ...(plain ? [{ weight: 9, arbitrary: plain }] : []),
  );
  const odd = fc.oneof(
    fc.constantFrom(...oddPaths),
    anyText(20).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const id = fc.record({
    kind: fc.constantFrom('known' as const, 'known' as const, 'known' as const, 'unknown' as const, 'odd' as const),
    which: fc.nat(),
    odd,
  });
  return fc.record({
    operation: fc.constant(operation),
    endpoint: fc.constant(endpoint),
    ids: fc.array(id, { minLength: 2, maxLength: 2 }),
    query: endpoint.query ? arbitraryFor(jsonSchema(endpoint.query)) : fc.constantFrom(undefined, { unknown: '1' }),
    body: endpoint.method === 'GET' || endpoint.method === 'DELETE' ? fc.constant(undefined) : body,
    namesKnown: fc.boolean(),
    credential: fc.constantFrom(
      'key' as const,
      'session' as const,
      'key' as const,
      'session' as const,
      'stranger' as const,
      'none' as const,
    ),
    contentType: fc.oneof(
      { weight: 15, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom(...otherTypes) },
    ),
    idempotencyKey: fc.option(fc.constantFrom('a', 'b', 'c', '', 'ü', 'x'.repeat(300)), { freq: 4 }),
  });
};

/** The status that an operation returns if it needs a provider, because this test has no providers. */
const refusedByProvider = 502;
/** Maximum number of known ids that are kept for each kind. */
const maxKnown = 50;

/**
 * Sends generated requests one after another, to all endpoints and with every kind of credential. Bodies may be valid
 * or not, and ids known or unknown. Every status from 500 on, except `refusedByProvider`, counts as a fault of the
 * server.
 */
export async function fuzz(
  daemon: TestDaemon,
  { requests, seed, stranger, onProgress }: FuzzOptions,
): Promise<FuzzReport> {
  const report: FuzzReport = { statuses: new Map(), faults: [], longestTurn: { ms: 0, request: '' } };
  const operations = Object.keys(allEndpoints) as Operation[];
  const requestsOf = fc.oneof(...operations.map(drawn));
  const known = new Map<string, string[]>();
  const mail = await createMailChannel(daemon);
  let { cookie } = daemon;

  const idOf = ({ kind, which, odd }: Drawn['ids'][number], param: Param, operation: Operation): string => {
    if (kind === 'odd') return odd;
    // Test messages go only to the mail channel, because a generated channel may have an address outside this machine.
    if (param === 'channelId' && operation === 'testChannel') return kind === 'known' ? mail : unknownIds.channelId;
    const ids = known.get(param) ?? [];
    return kind === 'known' && ids.length > 0 ? ids[which % ids.length]! : unknownIds[param];
  };
  const urlOf = ({ operation, endpoint, ids, query }: Drawn): string => {
    let place = 0;
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      idOf(ids[place++]!, name as Param, operation),
    );
    const asked = searchOf(query);
    return `${endpoint.site ? '' : '/api'}${path}${asked}`;
  };
  const bodyOf = ({ body, namesKnown }: Drawn): string | undefined => {
    if (body === undefined || typeof body === 'string') return body;
    if (typeof body !== 'object' || body === null) return JSON.stringify(body);
    const monitors = (known.get('monitorId') ?? []).slice(0, 3);
    const named = namesKnown
      ? { ...('monitorIds' in body && { monitorIds: monitors }), ...('channelIds' in body && { channelIds: [mail] }) }
      : {};
    return JSON.stringify({ ...body, ...named });
  };
  for (let sent = 0; sent < requests; sent += 1000) {
    for (const request of fc.sample(requestsOf, { numRuns: Math.min(1000, requests - sent), seed: seed + sent })) {
      const url = urlOf(request);
      const payload = bodyOf(request);
      const { method } = request.endpoint;
      const headers = headersOf(request, { daemon, stranger, cookie });
      const { turnMs, result: answer } = await measureLongestTurn(() =>
        daemon.inject({ method, url, headers, ...(payload !== undefined && { payload }) }),
      );
      if (turnMs > report.longestTurn.ms) {
        report.longestTurn = { ms: turnMs, request: `${method} ${url} ${payload?.slice(0, 500) ?? ''}` };
      }
      const { statusCode: status } = answer;
      report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== refusedByProvider)
        report.faults.push(`${status} ${request.endpoint.method} ${url} ${payload ?? ''}: ${answer.body}`);
      if (status === 201) remember(known, request.operation, answer.body);
      if (request.operation === 'signOut' && status === 200) cookie = await signInAgain(daemon, daemon.email);
    }
    onProgress?.(sent + 1000);
  }
  return report;
}

/** Keeps the id of a new resource for later requests. */
function remember(known: Map<string, string[]>, operation: Operation, text: string): void {
  const param = kinds[operation];
  if (!param) return;
  const made = JSON.parse(text) as { id: string; pingUrl?: string };
  const add = (name: string, id: string) => known.set(name, [id, ...(known.get(name) ?? [])].slice(0, maxKnown));
  add(param, made.id);
  if (made.pingUrl) add('token', made.pingUrl.split('/').at(-1)!);
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  const fields = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  for (const [name, value] of fields)
    search.append(
      name.toWellFormed(),
      String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed(),
    );
  return search.size > 0 ? `?${search.toString()}` : '';
}

const headersOf = (
  { credential, contentType, idempotencyKey }: Drawn,
  { daemon, stranger, cookie }: { daemon: TestDaemon; stranger: FuzzOptions['stranger']; cookie: string },
) => ({
  ...(credential === 'key' && { 'x-api-key': daemon.apiKey }),
  ...(credential === 'stranger' && { 'x-api-key': stranger.apiKey }),
  ...(credential === 'session' && { cookie, 'x-project-id': daemon.project.id }),
  ...(contentType && { 'content-type': contentType }),
  ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
});

/** For an operation that creates a resource, the path parameter that takes the resource's id in later requests. */
const kinds: Partial<Record<Operation, Param>> = {
  createProject: 'projectId',
  createMonitor: 'monitorId',
  createIncident: 'incidentId',
  createStatusPage: 'statusPageId',
  createChannel: 'channelId',
  createAlertRule: 'ruleId',
  createPlan: 'planId',
};

/** Creates a channel that sends nothing out of the machine, because no mail server is configured. */
async function createMailChannel(daemon: TestDaemon): Promise<string> {
  const mail = { type: 'email', name: 'mail', config: { address: 'ops@example.com' } };
  return ((await daemon.request('POST', '/api/notification-channels', mail)).body as { id: string }).id;
}
