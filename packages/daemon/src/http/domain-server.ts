import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Logger } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { PageForm, Part } from '../status-page/forms.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { PageLinks } from '../status-page/view.ts';
import { newServer } from './new-server.ts';
import { sendMissingPage, sendPage } from './send-page.ts';
import { historyPart, incidentPart, monitorsPart } from './status-pages.ts';

export interface DomainServerOptions {
  domains: Pick<CustomDomains, 'pageAt' | 'proofOf' | 'isSecure'>;
  getPage: GetPage;
  log: Logger;
  trustProxy: false | number | string;
  /** Where the daemon itself listens for https; null where it does not. */
  httpsPort: () => number | null;
}

/** Browsers come by https alone for 30 days: a year would bind owners who move their name away. */
const strictTransport = 'max-age=2592000';
/** Seconds for which a browser may keep a redirect: the name may be without a certificate again. */
const redirectMaxAge = 300;

/**
 * What answers on custom domains: on each its own page, and the proofs that its certificate asks for. It listens to
 * nothing itself; both listeners hand their requests to it.
 */
export function createDomainServer({
  domains,
  getPage,
  log,
  trustProxy,
  httpsPort,
}: DomainServerOptions): FastifyInstance {
  const app = newServer(log, { trustProxy });
  const serve = (form: PageForm, partOf?: (request: FastifyRequest) => Part) => {
    return (request: FastifyRequest, reply: FastifyReply) => {
      const page = domains.pageAt(request.host);
      if (!page) throw notFound('address');
      const [links, part] = [linksOf(originOf(request, page.name)), partOf?.(request)];
      return sendPage(request, reply, getPage, { slug: page.slug, form, links, ...(part && { part }) });
    };
  };
  app.register(async (pages) => {
    pages.addHook('onRequest', (request, reply, done) => {
      const page = domains.pageAt(request.host);
      // Behind a proxy that ends TLS, this is for the proxy to say.
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
    pages.get('/feed.atom', serve('atom'));
    pages.get('/badge.svg', serve('svg'));
    pages.get('/history', serve('html', historyPart));
    pages.get('/history/:month', serve('html', historyPart));
    pages.get('/incidents/:publicId', serve('html', incidentPart));
    pages.get('/*', () => {
      throw notFound('address');
    });
  });
  addChallenges(app, domains);
  return app;
}

/** Answers a certificate authority that comes to see whether a name is served here (RFC 8555, 8.3). */
export function addChallenges(app: FastifyInstance, { proofOf }: Pick<CustomDomains, 'proofOf'>): void {
  app.get('/.well-known/acme-challenge/:token', async (request, reply) => {
    const proof = proofOf((request.params as { token: string }).token);
    if (proof === null) throw notFound('address');
    return reply.type('application/octet-stream').header('cache-control', 'no-store').send(proof);
  });
}

/**
 * Redirects to the same path by https. Who named the daemon's own port in the address reaches its https port in the same
 * way; for all others a proxy or a forwarded port stands in between.
 */
function sendToHttps(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, httpsPort }: { name: string; httpsPort: number | null },
): FastifyReply {
  const isDirect = request.port !== null && request.port === request.socket.localPort;
  const port = isDirect && httpsPort !== null && httpsPort !== 443 ? `:${httpsPort}` : '';
  const path = request.url.startsWith('/') ? request.url : '/';
  return reply.header('cache-control', `max-age=${redirectMaxAge}`).redirect(`https://${name}${port}${path}`, 301);
}

/** Where the reader is. A port is kept only where it is the daemon's own: there are as many links as ports otherwise. */
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
