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
  /** The roles of this node. Without `api` it answers only health. */
  roles: readonly Role[];
  /** Maximum number of client connections at a time. Default: as many as the process may hold. */
  mostConnections?: number;
  /** Makes the links to alerts unguessable. */
  secret: string;
  trustProxy: false | number | string;
  /** How long the event loop keeps work waiting. */
  loopDelayMs: () => number;
  /** The order in which requests of the interface run. */
  turns: RequestTurns;
  /** Tracks the work of requests until it has ended. Pings and the payment provider's events track their own. */
  underWay: WorkUnderWay['add'];
}

/** The server of the whole interface, not listening yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { backend, domainServer, getPage } = options;
  const { log, clock } = backend.deps;
  const { domains } = backend;
  const app = newServer(log, {
    trustProxy: options.trustProxy,
    siteUrl: () => backend.siteUrl(),
    most: options.mostConnections,
    sendMissing: (request, reply) => sendMissingAddress(request, reply, backend.siteUrl()),
  });
  if (!options.roles.includes('api')) answerOnlyHealth(app, options.roles);
  // Runs before routes: a custom domain serves nothing but its page.
  app.addHook('onRequest', (request, reply, done) => {
    // X-Forwarded-Host cannot make a request for a custom domain look like one for the site.
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

/** Adds the routes of the contract, those of probes, and the document that describes the interface. */
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
    // Answers hold keys and secrets, so they must not be cached.
    reply.header('cache-control', 'no-store');
  });
  logRequests(api, backend.deps, callers);
  const newThrottle = options.rateLimit
    ? (name: string, most?: number) => createSharedRateLimit(backend.store, clock, { name, most })
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
    // Logs the route and not the address: addresses hold ids, and a ping's address is a secret.
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
 * The credential of a request as the log shows it: the ids of the project and of the key. The project's own key is
 * `own`.
 */
const credentialOf = (caller: Caller | undefined) => {
  if (!caller?.project) return {};
  const { id, key } = caller.project;
  return { project: id, ...(key && { key: key.id ?? 'own' }) };
};
