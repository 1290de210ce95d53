import type { Socket } from 'node:net';
import { maxBodyBytes } from '@uptime/sdk/contract';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger, systemClock } from '../deps.ts';
import { notFound, ServiceError } from '../errors.ts';
import { randomText } from '../resources/secrets.ts';
import { clientLimits, limitClients } from './client-limits.ts';
import { createRequestDrain } from './request-drain.ts';
import { problemOf, problemType, serviceErrorOf } from './problem.ts';
import { shareRequests } from './request-shares.ts';

/**
 * Returns the headers of every answer. Other sites must not show answers in frames, and browsers must not guess content
 * types. Pages add more headers. A site on https asks browsers to use only https for a year.
 */
const securityHeaders = (siteUrl: string | undefined): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  ...(siteUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

/**
 * Returns a function that returns the headers. To save time on each ping, it makes them again only when the site's
 * address has changed. The address may be unknown until the server listens.
 */
function rememberedHeaders(siteUrl: (() => string) | undefined): () => Record<string, string> {
  let of = siteUrl?.();
  let remembered = securityHeaders(of);
  return () => {
    const now = siteUrl?.();
    if (now !== of) [of, remembered] = [now, securityHeaders(now)];
    return remembered;
  };
}

export interface NewServerOptions {
  trustProxy: false | number | string;
  /** Public address of the site. Absent on the server for custom domains. */
  siteUrl?: () => string;
  limits?: typeof clientLimits;
  /** Replaces the default time for which a client may leave an answer unread. */
  unreadTimeoutMs?: number;
  /** Replaces the default maximum number of connections. */
  maxConnections?: number;
  /** Answers requests for unknown addresses. If it returns null, this server sends a "not found" error. */
  sendMissing?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;
}

/**
 * Returns a server without routes. It has limits for clients, sets the headers that all answers have, and sends all
 * errors as problem documents.
 */
export function newServer(
  log: Logger,
  { trustProxy, siteUrl, limits = clientLimits, unreadTimeoutMs, maxConnections, sendMissing }: NewServerOptions,
): FastifyInstance {
  const requestIds = requestIdSequence();
  const headers = rememberedHeaders(siteUrl);
  const app = Fastify({
    logger: false,
    // Without these two functions, Fastify would load its schema compilers. The compilers are not needed: no route has
    // a schema, because the contract validates requests.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // If `trustProxy` is a number, it says how many proxies are trusted, beginning with the proxy next to this server.
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy,
    bodyLimit: maxBodyBytes,
    http: limits,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    // While the daemon closes, connected clients still get answers, also to new requests on their open connections.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestIds,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, { requestId: requestIds(), headers: headers() }),
  });

  const sendError = createErrorAnswer(log, headers);
  limitClients(app.server, unreadTimeoutMs, maxConnections);
  shareRequests(app.server, () => systemClock.monotonicMs());
  // Ignores an `Expect` header with an unknown value. Otherwise Node would answer with a bare 417, and a ping would be
  // lost.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers());
    done();
  });
  app.setErrorHandler<FastifyError>(sendError);
  app.setNotFoundHandler(
    (request, reply) => sendMissing?.(request, reply) ?? sendError(notFound('address'), request, reply),
  );
  return app;
}

/** Returns a function that answers a request with an error, as a problem document. The function logs server errors. */
function createErrorAnswer(log: Logger, headers: () => Record<string, string>) {
  const drain = createRequestDrain();
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // A disconnect in the middle of a request is not a server error, and the client reads no answer.
    const brokenOff = request.raw.destroyed && !request.raw.complete;
    const known = brokenOff
      ? new ServiceError('invalid_request', 'The request ended before it was complete.', { cause: error })
      : serviceErrorOf(error);
    // A provider's refusal and a failed health report go to the caller. They are not faults of this server, so they are
    // not logged here.
    const isForCaller =
      known.code === 'not_implemented' || known.code === 'delivery_failed' || known.members !== undefined;
    if (known.status >= 500 && !isForCaller) {
      const where = { requestId: request.id, route: routeOf(request) };
      // A deliberate refusal during a stop or under load is not an error, so it is logged as a warning.
      if (known.code === 'unavailable' && known.cause === undefined) log.warn(where, known.message);
      else log.error({ ...where, err: known.cause ?? known }, known.message);
    }
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
    // The connection is closed after this answer, because it cannot serve another request before the rest of the body
    // has arrived.
    if (known.code === 'payload_too_large') {
      reply.header('connection', 'close');
      drain(request.raw);
    }
    if (known.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer realm="uptime"');
    return (
      reply
        .status(known.status)
        // The headers are set again, because refusals by Fastify itself skip the hooks.
        .headers({ ...headers(), 'cache-control': 'no-store' })
        .type(problemType)
        .send(JSON.stringify(problemOf(known, request.id)))
    );
  };
}

function noCompiler(): never {
  throw new Error('A route has a schema. Validate with the contract instead, as http/routes.ts does.');
}

export const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'unknown';

/**
 * Returns a function that makes request ids. Ids of different processes differ. Making an id costs only an addition.
 */
function requestIdSequence(): () => string {
  const process = randomText(8);
  let count = 0;
  return () => `req_${process}${(++count).toString(36).padStart(6, '0')}`;
}

/** Answers a request that is not valid HTTP. The error is a problem document, as every other error is. */
function answerMalformed(
  error: Error & { code?: string },
  socket: Socket,
  { requestId, headers }: { requestId: string; headers: Record<string, string> },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ServiceError('invalid_request', 'The headers are too large: send at most 16 KiB.')
      : new ServiceError('invalid_request', 'This is not a well-formed HTTP request, or it took too long to arrive.');
  const body = JSON.stringify(problemOf(problem, requestId));
  const head = Object.entries({
    'content-type': problemType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    'cache-control': 'no-store',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head.join('')}\r\n${body}`);
}
