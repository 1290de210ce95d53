import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from '../core/roles.ts';
import type { Deps } from '../deps.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { Backend, Handlers } from '../resources/handler.ts';
import type { ProbeHost } from '../probes/probe-host.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { Caller } from './authenticate.ts';
import { addBilling } from './billing.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { parseJsonBodies } from './body.ts';
import { addChallenges, type DomainServer } from './domain-server.ts';
import { addDownloads } from './downloads.ts';
import { refuseOtherMethods } from './method-not-allowed.ts';
import { addMetrics } from './metrics.ts';
import { newServer, routeOf } from './new-server.ts';
import { openApiDocument } from './openapi.ts';
import { answerOnlyHealth } from './answer-only-health.ts';
import { addPages, sendMissingAddress } from './pages.ts';
import { addPings, type RecordPing } from './pings.ts';
import { addProbeRoutes } from './probe-routes.ts';
import { createSharedRateLimit } from './rate-limit.ts';
import type { RequestTurns } from './request-turns.ts';
import { addRoutes } from './routes.ts';
import { addStatusPages } from './status-pages.ts';
import { createUnsentAnswers, limitUnsentAnswers, type UnsentAnswers } from './unsent-answers.ts';
import type { WorkUnderWay } from './work-under-way.ts';

export interface ServerOptions {
  backend: Backend;
  handlers: Handlers;
  recordPing: RecordPing;
  probes: ProbeHost;
  getPage: GetPage;
  downloads: Downloads;
  /** Serves custom domains. */
  domainServer: DomainServer;
  rateLimit: boolean;
  /** The roles of this node. Without the role `api`, the node answers only `/healthz` and `/metrics`. */
  roles: readonly Role[];
  /** Maximum number of client connections at a time. Default: `maxConnections` in client-limits.ts. */
  maxConnections?: number;
  /** The key that signs the links to alerts, so that no one can guess a link. */
  secret: string;
  trustProxy: false | number | string;
  /** By how much the event loop delays work. */
  loopDelayMs: () => number;
  /** Decides in which order API requests run. */
  turns: RequestTurns;
  /** Tracks the work of requests until it has ended. It does not track pings and events of the payment provider. */
  underWay: WorkUnderWay['add'];
}

/** Returns the server for all addresses of the site. It does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { backend, domainServer, getPage } = options;
  const { log, clock } = backend.deps;
  const { domains } = backend;
  const app = newServer(log, {
    trustProxy: options.trustProxy,
    siteUrl: () => backend.siteUrl(),
    maxConnections: options.maxConnections,
    sendMissing: (request, reply) => sendMissingAddress(request, reply, backend.siteUrl()),
  });
  if (!options.roles.includes('api')) answerOnlyHealth(app, options.roles);
  // This hook runs before all routes, because a custom domain serves only its status page.
  app.addHook('onRequest', (request, reply, done) => {
    // `request.host` may come from X-Forwarded-Host. So the Host header is looked up too: a request for a custom domain
    // must not get a page of the site.
    if (!domains.pageAt(request.host) && !domains.pageAt(request.headers.host ?? '')) return done();
    reply.hijack();
    void domainServer.answer(request.raw, reply.raw);
  });
  app.addHook('onClose', () => domainServer.close());

  const otherMethods = refuseOtherMethods(app);
  const bodies = createBodyBudget();
  addPings(app, { record: options.recordPing, clock, bodies });
  addBilling(app, backend, bodies);
  const unsent = createUnsentAnswers();
  addStatusPages(app, getPage, { siteUrl: () => backend.siteUrl(), unsent });
  addPages(app, backend, options.secret);
  addDownloads(app, options.downloads, backend);
  addMetrics(app, backend);
  addChallenges(app, domains);
  app.register(async (api) => addApi(api, options, { bodies, unsent }));
  app.after(() => otherMethods.done());
  return app;
}

/** Adds the routes of the contract, the routes for probes, and the OpenAPI document. */
function addApi(
  api: FastifyInstance,
  options: ServerOptions,
  { bodies, unsent }: { bodies: BodyBudget; unsent: UnsentAnswers },
): void {
  const { backend, handlers, probes, turns, underWay, loopDelayMs } = options;
  const { clock } = backend.deps;
  const callers = new WeakMap<FastifyRequest, Caller>();
  parseJsonBodies(api, bodies, turns);
  limitUnsentAnswers(api, unsent);
  api.addHook('onSend', async (_, reply) => {
    // Answers of the API may contain keys and secrets, so no client may cache them.
    reply.header('cache-control', 'no-store');
  });
  logRequests(api, backend.deps, callers);
  const newThrottle = options.rateLimit
    ? (name: string, maxAttempts?: number) => createSharedRateLimit(backend.store, clock, { name, maxAttempts })
    : null;
  addRoutes(api, { backend, handlers, callers, newThrottle, underWay, loopDelayMs, turns });
  addProbeRoutes(api, probes, { clock, underWay });
  let document: string | undefined;
  api.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(openApiDocument(backend.siteUrl(), backend.version));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

function logRequests(api: FastifyInstance, { log }: Pick<Deps, 'log'>, callers: WeakMap<FastifyRequest, Caller>): void {
  api.addHook('onResponse', async (request, reply) => {
    // The log gets the route and not the address, because an address contains ids, and the address of a ping is a
    // secret.
    const { statusCode, elapsedTime } = reply;
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route: routeOf(request),
        statusCode,
        ms: Math.round(elapsedTime),
        ...credentialOf(callers.get(request)),
      },
      'request',
    );
  });
}

/**
 * Returns what the log says about a request's credential: the id of the project and the id of the key. For the
 * project's own key, it says `own`.
 */
const credentialOf = (caller: Caller | undefined) => {
  if (!caller?.project) return {};
  const { id, key } = caller.project;
  return { project: id, ...(key && { key: key.id ?? 'own' }) };
};
