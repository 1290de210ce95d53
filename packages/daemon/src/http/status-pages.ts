import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import type { Encoding, GetPage, PageForm } from '../status-page/page-cache.ts';
import { contentSecurityPolicy } from '../status-page/page.ts';
import type { PageLinks } from '../status-page/view.ts';

/** Seconds for which anyone may keep a page; the last one for a day while this server does not answer (RFC 5861). */
const cacheControl = 'public, max-age=2, stale-if-error=86400';

/** The public pages, each in four forms. */
export function addStatusPages(app: FastifyInstance, getPage: GetPage, siteUrl: () => string): void {
  app.register(async (pages) => {
    const serve = (form: PageForm) => (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string };
      return sendPage(request, reply, getPage, { slug, form, links: linksOf(`${siteUrl()}/status/${slug}`) });
    };
    pages.get('/status/:slug', (request, reply) => {
      const { slug } = request.params as { slug: string };
      if (!slug.endsWith('.json')) return serve('html')(request, reply);
      request.params = { slug: slug.slice(0, -5) };
      return serve('json')(request, reply);
    });
    pages.get('/status/:slug/feed.atom', serve('atom'));
    pages.get('/status/:slug/badge.svg', serve('svg'));
  });
}

const linksOf = (self: string): PageLinks => ({
  self,
  json: `${self}.json`,
  feed: `${self}/feed.atom`,
  badge: `${self}/badge.svg`,
});

/** Answers one form of a page; 304 to those who have it already. Throws `not_found` where there is none. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  getPage: GetPage,
  { slug, form, links }: { slug: string; form: PageForm; links: PageLinks },
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const page = await getPage(slug, { form, encoding, place: links.self, links });
  if (!page) throw notFound('status page');
  reply.headers({
    etag: page.etag,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(form === 'html' && { 'content-security-policy': contentSecurityPolicy }),
  });
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === page.etag || tag === '*')) return reply.status(304).send();
  if (page.etag.endsWith(`-${encoding}"`)) reply.header('content-encoding', encoding);
  return reply.type(page.type).send(page.body);
}

/** The best that the client takes; a client that refuses by `q=0` is rare, and gets what it can read. */
function encodingFor(accepted: string | string[] | undefined): Encoding {
  const words = String(accepted ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => !/;\s*q=0(\.0*)?$/.test(word))
    .map((word) => word.split(';')[0]);
  return words.includes('br') ? 'br' : words.includes('gzip') ? 'gzip' : 'identity';
}
