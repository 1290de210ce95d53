import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import type { PageForm, Part } from '../status-page/forms.ts';
import type { GetPage } from '../status-page/page-cache.ts';
import type { PageLinks } from '../status-page/view.ts';
import { sendPage } from './send-page.ts';

/** The public page that a request asks for, and its links. */
export interface PagePlace {
  slug: string;
  links: PageLinks;
}

/** Creates the handler that sends the page, or a part of it, in one form (HTML, JSON, feed or badge). */
export type ServePage = (
  form: PageForm,
  partOf?: (request: FastifyRequest) => Part,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Returns a `ServePage`. `placeOf` finds the page of a request, and throws `not_found` for an unknown page. */
export const servePage =
  (getPage: GetPage, placeOf: (request: FastifyRequest) => PagePlace): ServePage =>
  (form, partOf) =>
  (request, reply) => {
    const [{ slug, links }, part] = [placeOf(request), partOf?.(request)];
    return sendPage(request, reply, getPage, { slug, form, links, ...(part && { part }) });
  };

/** Adds the routes that every public page has below its address, on this site and on a custom domain. */
export function addPageRoutes(pages: FastifyInstance, base: string, serve: ServePage): void {
  pages.get(`${base}/feed.atom`, serve('atom'));
  pages.get(`${base}/badge.svg`, serve('svg'));
  pages.get(`${base}/history`, serve('html', historyPart));
  pages.get(`${base}/history/:month`, serve('html', historyPart));
  pages.get(`${base}/incidents/:publicId`, serve('html', incidentPart));
}

/** Returns which part of a page's monitor list the request asks for. */
export const monitorsPart = (request: FastifyRequest): Part => ({
  kind: 'page',
  from: Number(digits(request, 'from', '0')),
});

/**
 * Returns which month of a page's history the request asks for. `after` asks for a later part of the month's incidents.
 */
const historyPart = (request: FastifyRequest): Part => {
  const { month = null } = request.params as { month?: string };
  return { kind: 'history', month, after: asked(request, 'after') };
};

/** Returns which incident the request asks for, and which part of its timeline. */
const incidentPart = (request: FastifyRequest): Part => {
  const { publicId } = request.params as { publicId: string };
  return { kind: 'incident', publicId, part: Number(digits(request, 'part', '1')) };
};

/** Returns the value of a query parameter, or null. A repeated parameter becomes a value that matches nothing. */
function asked(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return value === undefined ? null : String(value);
}

/** Returns a query parameter that has one to four digits. Throws `not_found` for any other value. */
function digits(request: FastifyRequest, name: string, otherwise: string): string {
  const value = asked(request, name) ?? otherwise;
  if (!/^\d{1,4}$/.test(value)) throw notFound('part of this page');
  return value;
}
