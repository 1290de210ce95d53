import type { FastifyInstance } from 'fastify';
import type { Downloads } from '../downloads/downloads.ts';
import type { Backend, Handlers } from '../resources/handler.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import { addBilling } from './billing.ts';
import { ServiceError } from '../errors.ts';
import { createBodyBudget } from './body-budget.ts';
import { parseJsonBodies } from './body.ts';
import { addChallenges } from './domain-server.ts';
import { addDownloads } from './downloads.ts';
import { refuseOtherMethods } from './method-not-allowed.ts';
import { newServer, routeOf } from './new-server.ts';
import { openApiDocument } from './openapi.ts';
import { addPages, sendMissingAddress } from './pages.ts';
import { addPings, type RecordPing } from './pings.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRequestTurns } from './request-turns.ts';
import { addRoutes } from './routes.ts';
import { addStatusPages } from './status-pages.ts';
import { limitUnsentAnswers } from './unsent-answers.ts';
import type { WorkUnderWay } from './work-under-way.ts';

export interface ServerOptions {
  backend: Backend;
  handlers: Handlers;
  recordPing: RecordPing;
  getPage: GetPage;
  downloads: Downloads;
  /** Serves custom domains. */
  domainServer: FastifyInstance;
  rateLimit: boolean;
  /** Most client connections at a time. Default: as many as the process may hold. */
  mostConnections?: number;
  /** Makes the links to alerts unguessable. */
  secret: string;
  trustProxy: false | number | string;
  /** How long the event loop keeps work waiting. */
  loopDelayMs: () => number;
  /** Receives the work of requests. Pings and the payment provider's events track their own. */
  underWay: WorkUnderWay['add'];
}

/** The server of the whole interface, not listening yet. */
export function createServer({
  backend,
  handlers,
  recordPing,
  getPage,
  downloads,
  domainServer,
  rateLimit,
  mostConnections,
  secret,
  trustProxy,
  loopDelayMs,
  underWay,
}: ServerOptions): FastifyInstance {
  const { log, clock } = backend.deps;
  const { domains } = backend;
  const app = newServer(log, {
    trustProxy,
    siteUrl: () => backend.siteUrl(),
    most: mostConnections,
    sendMissing: (request, reply) => sendMissingAddress(request, reply, backend.siteUrl()),
  });
  // Runs first: a custom domain serves nothing but its page.
  app.addHook('onRequest', (request, reply, done) => {
    // X-Forwarded-Host cannot make a request for a custom domain look like one for the site.
    if (!domains.pageAt(request.host) && !domains.pageAt(request.headers.host ?? '')) return done();
    reply.hijack();
    domainServer.routing(request.raw, reply.raw);
  });
  app.addHook('onReady', async () => {
    await domainServer.ready();
  });
  app.addHook('onClose', () => domainServer.close());

  const otherMethods = refuseOtherMethods(app);
  const bodies = createBodyBudget();
  addPings(app, { record: recordPing, clock, bodies });
  addBilling(app, backend, bodies);
  addStatusPages(app, getPage, () => backend.siteUrl());
  addPages(app, backend, secret);
  addDownloads(app, downloads, backend);
  addChallenges(app, domains);
  app.register(async (api) => {
    const turns = createRequestTurns(() => clock.monotonicMs());
    // Every connection has closed, so the clients of requests that still wait have disconnected.
    api.server.once('close', () => turns.close(new ServiceError('unavailable', 'The daemon is stopping.')));
    parseJsonBodies(api, bodies, turns);
    limitUnsentAnswers(api);
    api.addHook('onSend', async (_, reply) => {
      // Answers hold keys and secrets, so they must not be cached.
      reply.header('cache-control', 'no-store');
    });
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
        },
        'request',
      );
    });
    const newThrottle = rateLimit ? (most?: number) => createRateLimit(clock, most) : null;
    addRoutes(api, backend, handlers, newThrottle, underWay, loopDelayMs, turns);
    let document: string | undefined;
    api.get('/api/openapi.json', async (_, reply) => {
      document ??= JSON.stringify(openApiDocument(backend.siteUrl(), backend.version));
      return reply.type('application/json; charset=utf-8').send(document);
    });
  });
  app.after(() => otherMethods.done());
  return app;
}
