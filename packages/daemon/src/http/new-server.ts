import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from '../deps.ts';
import { notFound, ServiceError } from '../errors.ts';
import { randomText } from '../resources/secrets.ts';
import { maxBodyBytes } from './body.ts';
import { clientLimits, limitClients } from './client-limits.ts';
import { problemOf, problemType, serviceErrorOf } from './problem.ts';

/**
 * What every answer carries. Answers are data, to be shown by nobody's page and guessed at by no browser; those that are
 * pages say more. Of a site that is served by https, browsers are to come by nothing else for a year.
 */
const securityHeaders = (siteUrl: string | undefined): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  ...(siteUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

/** The same for each answer while the site's address is: pings are many. It is known once the server listens. */
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
  /** Where people reach the site; absent where it is served under names of others. */
  siteUrl?: () => string;
  limits?: typeof clientLimits;
  /** In place of how long a client may take nothing of its answer. */
  silence?: number;
  /** In place of how many connections it may hold. */
  most?: number;
  /** Answers an address that leads nowhere; null leaves it to this server, which answers as for every error. */
  sendMissing?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;
}

/** A server without routes: its limits, the headers of all its answers, and one shape for everything that goes wrong. */
export function newServer(
  log: Logger,
  { trustProxy, siteUrl, limits = clientLimits, silence, most, sendMissing }: NewServerOptions,
): FastifyInstance {
  const requestIds = requestIdSequence();
  const headers = rememberedHeaders(siteUrl);
  const app = Fastify({
    logger: false,
    // A number trusts as many proxies, counted from this end.
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy,
    bodyLimit: maxBodyBytes,
    http: limits,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    // Those who are connected when the daemon closes get their answer; new requests on old connections too.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestIds,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, { requestId: requestIds(), headers: headers() }),
  });

  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Whoever goes away in the midst of a request is no fault of this server, and reads no answer.
    const brokenOff = request.raw.destroyed && !request.raw.complete;
    const known = brokenOff
      ? new ServiceError('invalid_request', 'The request broke off before its end.', { cause: error })
      : serviceErrorOf(error);
    // What a provider said is the caller's to know, and no fault of this server. How it fares is told to whoever asks.
    const told = known.code === 'not_implemented' || known.code === 'delivery_failed' || known.members !== undefined;
    if (known.status >= 500 && !told) {
      const where = { requestId: request.id, route: routeOf(request) };
      // Refused on purpose, while it stops or has too much to do: nothing is broken.
      if (known.code === 'unavailable' && known.cause === undefined) log.warn(where, known.message);
      else log.error({ ...where, err: known.cause ?? known }, known.message);
    }
    if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter));
    // The rest of the body stays unread: the connection cannot serve another request.
    if (known.code === 'payload_too_large') reply.header('connection', 'close');
    if (known.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer realm="uptime"');
    return (
      reply
        .status(known.status)
        // Again: what Fastify itself refuses has been through no hook.
        .headers({ ...headers(), 'cache-control': 'no-store' })
        .type(problemType)
        .send(JSON.stringify(problemOf(known, request.id)))
    );
  };
  limitClients(app.server, silence, most);
  // An expectation that nobody knows is let pass: Node would answer it with a bare 417, and lose a heartbeat.
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

export const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'unknown';

/** Ids that are unlike from one process to the next, and cost an addition each. */
function requestIdSequence(): () => string {
  const process = randomText(8);
  let count = 0;
  return () => `req_${process}${(++count).toString(36).padStart(6, '0')}`;
}

/** What is no HTTP at all is answered in the same shape as everything else. */
function answerMalformed(
  error: Error & { code?: string },
  socket: Socket,
  { requestId, headers }: { requestId: string; headers: Record<string, string> },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ServiceError('invalid_request', 'The headers are too large.')
      : new ServiceError('invalid_request', 'This is not a well-formed HTTP request, or it took too long to come in.');
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
