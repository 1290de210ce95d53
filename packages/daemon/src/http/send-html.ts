import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../pages/document.ts';
import { missingPage, type WayOut } from '../pages/missing-page.ts';

/** Sends an HTML page that `pages/` makes: the front page, the page of an alert, or the page for unknown addresses. */
export const sendHtml = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(page);

/**
 * Answers a request for an unknown address with a page, if a person sent the request. If a program sent the request,
 * this function sends nothing and returns null.
 */
export function sendMissing(request: FastifyRequest, reply: FastifyReply, wayOut: WayOut | null): FastifyReply | null {
  reply.header('vary', 'accept');
  return asksForHtml(request) ? sendHtml(reply.status(404), missingPage(wayOut)) : null;
}

/**
 * Whether a request asks for HTML. Browsers name text/html in `Accept`. Programs that accept any type do not name it,
 * and get JSON.
 */
const asksForHtml = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '');
