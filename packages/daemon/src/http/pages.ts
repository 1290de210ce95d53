import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { alertOfLink } from '../operations/alert-link.ts';
import { alertPage } from '../pages/alert-page.ts';
import { frontPage } from '../pages/front-page.ts';
import { loadAlert } from '../pages/load-alert.ts';
import type { Backend } from '../resources/handler.ts';
import { sendHtml, sendMissing } from './send-html.ts';

/** The front page, and a page for each alert, whose link is the right to read it. */
export function addPages(app: FastifyInstance, backend: Backend, secret: string): void {
  const { store, deps, version } = backend;
  app.get('/', async (_, reply) => {
    const { reason } = await backend.health();
    return sendHtml(reply, frontPage({ siteUrl: backend.siteUrl(), version, reason }));
  });
  app.get('/alerts/:link', async (request, reply) => {
    const id = alertOfLink(secret, (request.params as { link: string }).link);
    const alert = id === null ? null : await loadAlert(store, id);
    if (!alert) return reply.callNotFound();
    return sendHtml(reply, alertPage(alert, deps.clock.now()));
  });
}

/** Answers an address that leads nowhere: people get a page. Null for programs, and for what only programs ask for. */
export function sendMissingAddress(request: FastifyRequest, reply: FastifyReply, siteUrl: string): FastifyReply | null {
  if (!/^\/(?:api|ping)(?:\/|$)/.test(request.url))
    return sendMissing(request, reply, { href: `${siteUrl}/`, label: 'To the front page' });
  reply.header('vary', 'accept');
  return null;
}
