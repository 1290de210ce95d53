import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { alertOfLink } from '../operations/alert-link.ts';
import { alertPage } from '../pages/alert-page.ts';
import { contentSecurityPolicy } from '../pages/document.ts';
import { frontPage } from '../pages/front-page.ts';
import { loadAlert } from '../pages/load-alert.ts';
import { missingPage } from '../pages/missing-page.ts';
import type { Backend } from '../resources/handler.ts';

/** The front page, and a page for each alert, whose link is the right to read it. */
export function addPages(app: FastifyInstance, backend: Backend, secret: string): void {
  const { store, deps, version } = backend;
  app.get('/', async (_, reply) => {
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

/** Answers an address that leads nowhere: people get a page. Null for programs, and for what only programs ask for. */
export function sendMissing(request: FastifyRequest, reply: FastifyReply, siteUrl: string): FastifyReply | null {
  reply.header('vary', 'accept');
  if (!asksForHtml(request) || /^\/(?:api|ping)(?:\/|$)/.test(request.url)) return null;
  return sendHtml(reply.status(404), missingPage(siteUrl));
}

/** Browsers name it; programs that take anything get what they can read. */
const asksForHtml = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

const sendHtml = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(page);
