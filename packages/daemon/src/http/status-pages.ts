import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { PageLinks } from '../status-page/view.ts';
import { addPageRoutes, monitorsPart, servePage } from './page-routes.ts';
import { sendMissingPage } from './send-page.ts';
import { limitUnsentAnswers, type UnsentAnswers } from './unsent-answers.ts';

/**
 * Adds the public status pages in four forms (HTML, JSON, feed, badge), and the pages of their history and their
 * incidents.
 */
export function addStatusPages(
  app: FastifyInstance,
  getPage: GetPage,
  { siteUrl, unsent }: { siteUrl: () => string; unsent: UnsentAnswers },
): void {
  app.register(async (pages) => {
    limitUnsentAnswers(pages, unsent);
    const addressOf = (slug: string) => `${siteUrl()}/status/${slug}`;
    const serve = servePage(getPage, (request) => {
      const { slug } = request.params as { slug: string };
      return { slug, links: linksOf(addressOf(slug)) };
    });
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
    addPageRoutes(pages, '/status/:slug', serve);
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
