import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import type { PageForm, Part } from '../status-page/forms.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { PageLinks } from '../status-page/view.ts';
import { sendMissingPage, sendPage } from './send-page.ts';

/** The public pages in four forms, and the pages of their history and incidents. */
export function addStatusPages(app: FastifyInstance, getPage: GetPage, siteUrl: () => string): void {
  app.register(async (pages) => {
    const addressOf = (slug: string) => `${siteUrl()}/status/${slug}`;
    const serve = (form: PageForm, partOf?: (request: FastifyRequest) => Part) => {
      return (request: FastifyRequest, reply: FastifyReply) => {
        const { slug } = request.params as { slug: string };
        const part = partOf?.(request);
        return sendPage(request, reply, getPage, {
          slug,
          form,
          links: linksOf(addressOf(slug)),
          ...(part && { part }),
        });
      };
    };
    pages.setErrorHandler((error, request, reply) => {
      const { slug } = request.params as { slug?: string };
      return sendMissingPage(error, request, reply, slug === undefined ? null : addressOf(slug));
    });
    pages.get('/status/:slug', (request, reply) => {
      const { slug } = request.params as { slug: string };
      if (!slug.endsWith('.json')) return serve('html')(request, reply);
      request.params = { slug: slug.slice(0, -5) };
      return serve('json', monitorsPart)(request, reply);
    });
    // A relative redirect works behind a proxy with any path prefix.
    pages.get('/status/:slug/', (request, reply) => {
      const { slug } = request.params as { slug: string };
      return reply.redirect(`../${encodeURIComponent(slug)}`, 301);
    });
    pages.get('/status/:slug/feed.atom', serve('atom'));
    pages.get('/status/:slug/badge.svg', serve('svg'));
    pages.get('/status/:slug/history', serve('html', historyPart));
    pages.get('/status/:slug/history/:month', serve('html', historyPart));
    pages.get('/status/:slug/incidents/:publicId', serve('html', incidentPart));
    pages.get('/status/*', () => {
      throw notFound('address');
    });
  });
}

const linksOf = (self: string): PageLinks => ({
  self,
  json: `${self}.json`,
  feed: `${self}/feed.atom`,
  badge: `${self}/badge.svg`,
  base: self,
});

/** The part of the monitor list that the request asks for. */
export const monitorsPart = (request: FastifyRequest): Part => ({
  kind: 'page',
  from: Number(digits(request, 'from', '0')),
});

/** A month of incidents, or a later part of it. */
export const historyPart = (request: FastifyRequest): Part => {
  const { month = null } = request.params as { month?: string };
  return { kind: 'history', month, after: asked(request, 'after') };
};

/** One incident, from a given part of its timeline on. */
export const incidentPart = (request: FastifyRequest): Part => {
  const { publicId } = request.params as { publicId: string };
  return { kind: 'incident', publicId, part: Number(digits(request, 'part', '1')) };
};

/** One value of the query. Repeated parameters give a value that matches nothing. */
function asked(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return value === undefined ? null : String(value);
}

/** A number of up to four digits. Throws `not_found` for anything else. */
function digits(request: FastifyRequest, name: string, otherwise: string): string {
  const value = asked(request, name) ?? otherwise;
  if (!/^\d{1,4}$/.test(value)) throw notFound('part of this page');
  return value;
}
