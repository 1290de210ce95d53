import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { alertOfLink } from '../alerting/alert-link.ts';
import { alertPage } from '../pages/alert-page.ts';
import { frontPage } from '../pages/front-page.ts';
import { loadAlert } from '../pages/load-alert.ts';
import type { Backend } from '../resources/handler.ts';
import { sendHtml, sendMissing } from './send-html.ts';

/** Adds the front page, and a page for each alert. The link of an alert contains the credential for its page. */
export function addPages(app: FastifyInstance, backend: Backend, secret: string): void {
  const { store, deps, version } = backend;
  app.get('/', async (request, reply) => {
    if (!isForSite(request.hostname, backend)) return reply.callNotFound();
    const isWell = backend.health.reason() === null;
    return sendHtml(reply, frontPage({ siteUrl: backend.siteUrl(), version, isWell }));
  });
  app.get('/alerts/:link', async (request, reply) => {
    const id = alertOfLink(secret, (request.params as { link: string }).link);
    const alert = id === null ? null : await loadAlert(store, id);
    if (!alert) return reply.callNotFound();
    return sendHtml(reply, alertPage(alert, deps.clock.now()));
  });
}

/** Whether a request with this host is for this site. */
export const isForSite = (host: string, { siteUrl, publicHost }: Pick<Backend, 'siteUrl' | 'publicHost'>): boolean =>
  isOwnHost(host, [new URL(siteUrl()).hostname, publicHost()]);

/**
 * Whether a host belongs to this site. Other hosts belong to status pages, or to no page. IP addresses and names
 * without a dot always belong to this site. If all names in `own` are of these two kinds, every host belongs to this
 * site.
 */
function isOwnHost(host: string, own: readonly string[]): boolean {
  const isLocal = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.');
  return own.includes(host) || isLocal(host) || own.every(isLocal);
}

/**
 * Answers a request for an unknown address with a page for people. Returns null, without an answer, for requests of
 * programs and for paths that only programs use.
 */
export function sendMissingAddress(request: FastifyRequest, reply: FastifyReply, siteUrl: string): FastifyReply | null {
  if (!/^\/(?:api|ping)(?:\/|$)/.test(request.url))
    return sendMissing(request, reply, { href: `${siteUrl}/`, label: 'To the front page' });
  reply.header('vary', 'accept');
  return null;
}
