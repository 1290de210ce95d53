import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import type { AskedForm, Encoding, GetPage } from '../status-page/page-cache.ts';
import { serviceErrorOf } from './problem.ts';
import { sendMissing } from './send-html.ts';

/**
 * Clients may cache a page for 2 seconds. While this server does not answer, they may use a cached page for a day (RFC
 * 5861).
 */
const cacheControl = 'public, max-age=2, stale-if-error=86400';

/**
 * Sends a status page in one form (HTML, JSON, feed or badge), or 304 if the client has the current version of that
 * form. Throws `not_found` if the page does not exist.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  getPage: GetPage,
  { slug, ...asked }: Omit<AskedForm, 'encoding' | 'place'> & { slug: string },
): Promise<FastifyReply> {
  // Scripts of other sites may read the JSON form, because it needs no credential and ignores credentials.
  if (asked.form === 'json') reply.header('access-control-allow-origin', '*');
  const encoding = encodingFor(request.headers['accept-encoding']);
  const page = await getPage(slug, { ...asked, encoding, place: asked.links.self });
  if (!page) throw notFound('status page');
  reply.headers({
    etag: page.etag,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(page.policy !== null && { 'content-security-policy': page.policy }),
  });
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === page.etag || tag === '*')) return reply.status(304).send();
  if (page.etag.endsWith(`-${encoding}"`)) reply.header('content-encoding', encoding);
  return reply.type(page.type).send(page.body);
}

/**
 * Answers with the page for unknown addresses if the error is `not_found` and a person sent the request. Otherwise
 * throws the error again.
 */
export function sendMissingPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  home: string | null,
): FastifyReply {
  const wayOut = home === null ? null : { href: home, label: 'Current status' };
  const sent = serviceErrorOf(error).code === 'not_found' ? sendMissing(request, reply, wayOut) : null;
  if (!sent) throw error;
  return sent;
}

/**
 * Returns the best encoding that the client accepts. An encoding with `q=0` is not accepted; other weights are ignored.
 */
function encodingFor(accepted: string | string[] | undefined): Encoding {
  const words = String(accepted ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => !/;\s*q=0(\.0*)?$/.test(word))
    .map((word) => word.split(';')[0]);
  return words.includes('br') ? 'br' : words.includes('gzip') ? 'gzip' : 'identity';
}
