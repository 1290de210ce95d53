import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Logger } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { PageLinks } from '../status-page/view.ts';
import { newServer } from './new-server.ts';
import { addPageRoutes, monitorsPart, servePage } from './page-routes.ts';
import { sendMissingPage } from './send-page.ts';
import { limitUnsentAnswers } from './unsent-answers.ts';

export interface DomainServerOptions {
  domains: Pick<CustomDomains, 'pageAt' | 'proofOf' | 'isSecure'>;
  getPage: GetPage;
  log: Logger;
  trustProxy: false | number | string;
  /** The port on which the daemon listens for https; null if it does not listen for https. */
  httpsPort: () => number | null;
}

/**
 * For 30 days, browsers open a custom domain only with https. A year would be too long for owners who move their domain
 * to a server without https.
 */
const strictTransport = 'max-age=2592000';
/** How long a browser may keep a redirect. It is short, because a domain may lose its certificate. */
const redirectMaxAgeSeconds = 300;

/**
 * The server for custom domains. It has no listener of its own: the listeners for http and for https pass requests to
 * it.
 */
export interface DomainServer {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Returns the server. It starts when its first request arrives, because most installations have no custom domain. */
export function createDomainServer(options: DomainServerOptions): DomainServer {
  let app: FastifyInstance | undefined;
  return {
    async answer(request, response) {
      app ??= createApp(options);
      await app.ready();
      app.routing(request, response);
    },
    close: async () => app?.close(),
  };
}

/** Creates the server that serves each domain's page, and the proofs for its certificate. */
function createApp({ domains, getPage, log, trustProxy, httpsPort }: DomainServerOptions): FastifyInstance {
  const app = newServer(log, { trustProxy });
  const serve = servePage(getPage, (request) => {
    const page = domains.pageAt(request.host);
    if (!page) throw notFound('address');
    return { slug: page.slug, links: linksOf(originOf(request, page.name)) };
  });
  app.register(async (pages) => {
    limitUnsentAnswers(pages);
    pages.addHook('onRequest', (request, reply, done) => {
      const page = domains.pageAt(request.host);
      // Behind a proxy that ends TLS, the proxy must send this header itself.
      if ((request.raw.socket as Partial<TLSSocket>).encrypted === true)
        reply.header('strict-transport-security', strictTransport);
      else if (page && request.protocol === 'http' && domains.isSecure(page.name)) {
        sendToHttps(request, reply, { name: page.name, httpsPort: httpsPort() });
        return;
      }
      done();
    });
    pages.setErrorHandler((error, request, reply) => {
      const page = domains.pageAt(request.host);
      return sendMissingPage(error, request, reply, page && `${originOf(request, page.name)}/`);
    });
    pages.get('/', serve('html'));
    pages.get('/index.json', serve('json', monitorsPart));
    addPageRoutes(pages, '', serve);
    pages.get('/*', () => {
      throw notFound('address');
    });
  });
  addChallenges(app, domains);
  return app;
}

/** Serves the proofs by which a certificate authority sees that a name leads to this server (RFC 8555, 8.3). */
export function addChallenges(app: FastifyInstance, { proofOf }: Pick<CustomDomains, 'proofOf'>): void {
  app.get('/.well-known/acme-challenge/:token', async (request, reply) => {
    const proof = await proofOf((request.params as { token: string }).token);
    if (proof === null) throw notFound('address');
    return reply.type('application/octet-stream').header('cache-control', 'no-store').send(proof);
  });
}

/**
 * Redirects to the same path on https. If the address of the request contains the port on which the daemon listens, the
 * redirect contains the daemon's https port. Otherwise a proxy or a forwarded port is in between, and the redirect has
 * no port.
 */
function sendToHttps(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, httpsPort }: { name: string; httpsPort: number | null },
): FastifyReply {
  const isDirect = request.port !== null && request.port === request.socket.localPort;
  const port = isDirect && httpsPort !== null && httpsPort !== 443 ? `:${httpsPort}` : '';
  const path = request.url.startsWith('/') ? request.url : '/';
  return reply
    .header('cache-control', `max-age=${redirectMaxAgeSeconds}`)
    .redirect(`https://${name}${port}${path}`, 301);
}

/**
 * Returns the origin of a request's address. The origin contains a port only if the daemon listens on it, because a
 * client can write any port into its request.
 */
function originOf(request: FastifyRequest, name: string): string {
  const port = request.port !== null && request.port === request.socket.localPort ? `:${request.port}` : '';
  return `${request.protocol === 'https' ? 'https' : 'http'}://${name}${port}`;
}

const linksOf = (origin: string): PageLinks => ({
  self: `${origin}/`,
  json: `${origin}/index.json`,
  feed: `${origin}/feed.atom`,
  badge: `${origin}/badge.svg`,
  base: origin,
});
