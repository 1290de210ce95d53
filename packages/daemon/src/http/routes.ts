import { allEndpoints, type Endpoint, faultAt, maxBodyBytes, validate } from '@uptime/sdk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import * as z from 'zod';
import { isRefused } from '../core/overload.ts';
import { invalid, ServiceError } from '../errors.ts';
import type { Backend, Handlers, Operation } from '../resources/handler.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { createOnce, type Once, readIdempotencyKey } from './idempotency.ts';
import { networkOf } from './network-of.ts';
import { listCursor } from './list-cursor.ts';
import { isPages, jsonStream } from './json-stream.ts';
import type { Throttle } from './rate-limit.ts';
import { createRecheck } from './recheck.ts';
import type { RequestTurns } from './request-turns.ts';
import type { WorkUnderWay } from './work-under-way.ts';

/** A validated request. Its type fits the handlers of all operations. */
interface Validated {
  params: unknown;
  query: unknown;
  body: unknown;
  project: unknown;
  user: unknown;
  headers: FastifyRequest['headers'];
  setHeader: (name: string, value: string | string[]) => void;
  rest: () => Promise<void>;
  nextPage: (cursor: string) => void;
  create: <T>(input: unknown, work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;
}

interface AnyHandler {
  validatesBody: boolean;
  handle: (request: Validated, backend: Backend) => Promise<unknown>;
}

const noQuery = z.strictObject({});

export interface RouteDeps {
  backend: Backend;
  handlers: Handlers;
  /** The caller of each request. `createAdmission` sets it; `createAnswer` and `logRequests` read it. */
  callers: WeakMap<FastifyRequest, Caller>;
  /** Creates a limit on the requests of each caller. Null if the server runs without rate limits. */
  newThrottle: ((name: string, maxAttempts?: number) => Throttle) | null;
  /** Tracks the work of requests until it has ended. */
  underWay: WorkUnderWay['add'];
  /** How long the event loop keeps work waiting. */
  loopDelayMs: () => number;
  turns: RequestTurns;
}

/**
 * Adds a route for every endpoint of the contract. The routes for pings and for events of the payment provider are in
 * pings.ts and billing.ts.
 */
export function addRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const rechecks = new WeakMap<FastifyRequest, () => Promise<void>>();
  const once = createOnce(deps.backend);
  for (const [operation, endpoint] of Object.entries(allEndpoints) as [Operation, Endpoint][]) {
    if (endpoint.ownRoute) continue;
    const throttle = endpoint.errors?.includes('rate_limited') ? deps.newThrottle?.(operation) : undefined;
    const route = { operation, endpoint, handler: handlerOf(deps.handlers, operation), throttle, rechecks, once };
    const admit = createAdmission(deps, route);
    const answer = createAnswer(deps, route);
    app.route({
      // GET and HEAD share one route. By default, Fastify would add a second route for HEAD, which takes time at each
      // start.
      method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
      url: endpoint.site ? endpoint.path : `/api${endpoint.path}`,
      onRequest: (request, reply) => deps.underWay(admit(request, reply)),
      handler: (request, reply) => deps.underWay(answer(request, reply)),
    });
  }
}

interface Route {
  operation: Operation;
  endpoint: Endpoint;
  handler: AnyHandler | null;
  /** Limits the requests of each caller to this route. */
  throttle: Throttle | undefined;
  /** For each admitted request: a function that authenticates it again. */
  rechecks: WeakMap<FastifyRequest, () => Promise<void>>;
  once: Once;
}

/**
 * Returns a function that authenticates a request and applies its limits. It throws if the request is refused. It runs
 * before the body is read.
 */
function createAdmission(deps: RouteDeps, { operation, endpoint, handler, throttle, rechecks }: Route) {
  const { backend, callers, newThrottle, loopDelayMs } = deps;
  const throttleAll =
    endpoint.maxPerMinute === undefined ? undefined : newThrottle?.(`all ${operation}`, endpoint.maxPerMinute);
  const work = endpoint.method === 'GET' ? 'read' : 'write';
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!endpoint.neverRefused && isRefused(work, loopDelayMs())) throw overloaded();
    if (work === 'write') backend.refuseWrites();
    // The caller is authenticated before the body is read. So a caller without access cannot make the server parse a
    // megabyte.
    const caller = await authenticate(endpoint, request, backend);
    callers.set(request, caller);
    rechecks.set(
      request,
      createRecheck(() => authenticate(endpoint, request, backend), backend.deps.clock),
    );
    if (caller.cookies.length > 0) reply.header('set-cookie', caller.cookies);
    // The limit counts each resource separately: a test of one channel does not count for another channel.
    const named = Object.values(request.params as Record<string, string>);
    const by = ownerOf(caller, request);
    await throttle?.([by, ...named].join(' '));
    await throttleAll?.(by);
    if (!handler) throw new ServiceError('not_implemented', 'This server does not do that yet.');
  };
}

/** Returns a function that answers an admitted request. Requests of different owners take turns. */
function createAnswer(deps: RouteDeps, { operation, endpoint, handler, throttle, rechecks, once }: Route) {
  const { callers, turns } = deps;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = callers.get(request)!;
    const owner = ownerOf(caller, request);
    const isWrite = endpoint.method !== 'GET';
    const refuse = () => isWrite && deps.backend.refuseWrites();
    const backend = { ...deps.backend, store: storeFor(owner, deps.backend.store, refuse) };
    const rest = endpoint.neverRefused ? async () => {} : await turns.begin(owner, bytesOfBody(request));
    const recheck = rechecks.get(request)!;
    await recheck();
    // The body may have taken long to arrive. A move to PostgreSQL may have begun during that time.
    refuse();
    const validated = validatedRequest({ operation, endpoint, request, reply, caller, backend, once, rest });
    if (!handler!.validatesBody) validated.body = checkedBody(endpoint, request);
    // The limit also counts all requests with the same e-mail address, because guesses at one password may come from
    // many networks.
    const email = (validated.body as { email?: unknown } | undefined)?.email;
    if (typeof email === 'string') await throttle?.(`account ${email.toLowerCase()}`);
    // Results may be stored up to a second after their checks ended. The request waits until they are stored, so that
    // its answer contains all of them.
    if (endpoint.method === 'GET' && caller.project) await backend.resultsSettled();
    const data = await handler!.handle(validated, backend);
    // Accounts are written without `backend.store`, so `storeFor` does not check these writes. A move to PostgreSQL may
    // have stopped all writes during this request. Then PostgreSQL may lack what this request wrote to an account, so
    // the request fails.
    refuse();
    await rest();
    reply.status(endpoint.status);
    if (endpoint.response === null) return reply.send();
    reply.type('application/json; charset=utf-8');
    // An answer to HEAD has no body, so a long list is not read.
    if (request.method === 'HEAD' && isPages(data)) return reply.send();
    const nextTurn = async () => {
      await turns.next(owner);
      await recheck();
    };
    const payload = isPages(data) ? await jsonStream(data, { log: backend.deps.log, nextTurn }) : JSON.stringify(data);
    return reply.send(payload);
  };
}

/** Returns the owner whose limits and turns a request uses: the id of its project or account, or its network. */
const ownerOf = (caller: Caller, request: FastifyRequest): string =>
  caller.project?.id ?? caller.user?.id ?? networkOf(request.ip);

/**
 * Returns the store for the requests of one owner. Writes of different owners take turns. `refuse` throws if the write
 * must not happen any more. It is called in the transaction, because the write may have waited for its turn. On SQLite,
 * only one transaction writes at a time. So if `refuse` does not throw, this transaction ends before the daemon can
 * record that it has stopped these writes for a move to PostgreSQL.
 */
const storeFor = (owner: string, store: Store, refuse: () => void): Store => ({
  ...store,
  write: (work, options) =>
    store.write(
      (trx) => {
        refuse();
        return work(trx);
      },
      { ...options, owner },
    ),
});

/** Returns the declared length of a request's body, or the maximum length if none is declared. */
const bytesOfBody = ({ body, headers }: FastifyRequest): number =>
  body === undefined ? 0 : Number(headers['content-length'] ?? maxBodyBytes);

const overloaded = () =>
  new ServiceError('unavailable', 'The server has too much to do at the moment. Try again in a few seconds.', {
    retryAfterSeconds: 2,
  });

/**
 * Returns the handler of an operation, or null. In `handlers`, each handler has a type of its own; the returned
 * handlers all have the same type.
 */
function handlerOf(handlers: Handlers, operation: Operation): AnyHandler | null {
  const found = handlers[operation] as AnyHandler | AnyHandler['handle'] | undefined;
  if (found === undefined) return null;
  return typeof found === 'function' ? { validatesBody: false, handle: found } : found;
}

interface Context {
  operation: Operation;
  endpoint: Endpoint;
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  backend: Backend;
  once: Once;
  /** If the request has worked for long, waits for its next turn. */
  rest: () => Promise<void>;
}

function validatedRequest({ operation, endpoint, request, reply, caller, backend, once, rest }: Context): Validated {
  const key = endpoint.creates ? readIdempotencyKey(request.headers['idempotency-key']) : null;
  const owner = caller.project?.id ?? caller.user?.id ?? '';
  const cursors = listCursor([operation, owner, ...Object.values(request.params as Record<string, string>)]);
  const query = checkedQuery(endpoint, request);
  return {
    params: request.params,
    query: typeof query['cursor'] === 'string' ? { ...query, cursor: cursors.open(query['cursor']) } : query,
    body: request.body,
    project: caller.project,
    user: caller.user,
    headers: request.headers,
    rest,
    setHeader: (name, value) => void reply.header(name, value),
    nextPage: (cursor) => void reply.header('link', nextLink(request.url, backend.siteUrl(), cursors.seal(cursor))),
    create: async (input, work) => {
      await rest();
      if (key === null) return backend.store.write(work);
      return once({ owner, operation, key }, input, work, backend.store);
    },
  };
}

function checkedQuery(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  if (!endpoint.query && endpoint.access === 'public') return {};
  const given = request.query as Record<string, unknown>;
  const repeated = Object.keys(given).filter((name) => Array.isArray(given[name]));
  const parsed = validate(endpoint.query ?? noQuery, { ...given });
  const faults = parsed.ok ? [] : parsed.faults.filter(({ path }) => !repeated.includes(path.split('.')[0]!));
  for (const path of repeated) faults.push(faultAt(path, 'given_twice'));
  for (const [name, value] of Object.entries(given)) {
    if (String(value).includes('\0')) faults.push(faultAt(name, 'nul_character'));
  }
  if (!parsed.ok || faults.length > 0) throw invalid(faults);
  return parsed.value;
}

function checkedBody(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (!endpoint.body) return undefined;
  if (request.body === undefined) throw invalid([faultAt('', 'no_body')]);
  const parsed = validate(endpoint.body, request.body);
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.value;
}

function nextLink(url: string, siteUrl: string, cursor: string): string {
  const next = new URL(url, siteUrl);
  next.searchParams.set('cursor', cursor);
  return `<${siteUrl}${next.pathname}${next.search}>; rel="next"`;
}
