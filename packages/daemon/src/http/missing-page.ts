import type { FastifyReply, FastifyRequest } from 'fastify';
import { missingPage } from '../status-page/missing-page.ts';
import { policyOf } from '../status-page/document.ts';
import { serviceErrorOf } from './problem.ts';

const policy = policyOf({ accentColor: null, iconUrl: null });

/** Answers what is not there as a page to people; throws every other error on, and this one too for programs. */
export function sendMissing(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  home: string | null,
): FastifyReply {
  if (serviceErrorOf(error).code !== 'not_found' || !asksForHtml(request)) throw error;
  return reply
    .status(404)
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(missingPage(home));
}

/** Browsers name it; programs that take anything get what they can read. */
const asksForHtml = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '');
