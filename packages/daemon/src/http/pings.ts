import type { IncomingMessage } from 'node:http';
import { maxBodyBytes, maxMetricsBytes } from '@uptime/sdk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readMetrics } from '../core/metrics.ts';
import type { Clock } from '../deps.ts';
import { invalid, notFound, ServiceError } from '../errors.ts';
import type { ReceivedPing } from '../recording/record-pings.ts';
import { isPingToken } from '../resources/secrets.ts';
import { claimsJson, decode, encodedBody, isEncoded } from './body.ts';
import { type BodyBudget, readBody } from './body-budget.ts';
import { networkOf } from './network-of.ts';

/** Resolves once the ping is durable, or with `known: false` if no monitor has its token. */
export type RecordPing = (ping: ReceivedPing) => Promise<{ known: boolean }>;

type Signal = Pick<ReceivedPing, 'kind' | 'exitCode'>;

/** Adds the routes to which jobs send pings. Jobs call them very often, so these routes run only the necessary code. */
export function addPings(
  app: FastifyInstance,
  { record, clock, bodies }: { record: RecordPing; clock: Clock; bodies: BodyBudget },
): void {
  app.register(async (pings) => {
    pings.removeAllContentTypeParsers();
    pings.addContentTypeParser('*', (request, body: IncomingMessage, done) => {
      const { 'content-length': length, 'content-type': type } = request.headers;
      const maxBytes = claimsJson(type) ? maxMetricsBytes : maxBodyBytes;
      // A body whose declared length is over the limit is refused before any of it is read.
      if (Number(length ?? 0) > maxBytes) return done(tooLarge(maxBytes));
      const limits = { limit: maxBytes, free: maxMetricsBytes, caller: networkOf(request.ip), budget: bodies };
      readBody(body, limits, (error, read) => {
        if (error || !read) return done(error);
        if ('bytes' in read) return done(null, read.bytes);
        // If the budget has no memory left for a long text, the ping is recorded without that text. Metrics are so
        // short that they need no budget.
        return read.refused === 'too_large' ? done(tooLarge(maxBytes)) : done(null, undefined);
      });
    });
    // This function is not async, because each promise in the handling of a ping makes the ping 5% more expensive.
    const answer = (request: FastifyRequest, reply: FastifyReply): void => {
      const { token, signal } = request.params as { token: string; signal?: string };
      const meaning = signal === undefined ? plain : signalOf(signal);
      if (!isPingToken(token) || !meaning) throw notFound('ping address');
      const metrics = metricsOf(request);
      const { kind, exitCode } = meaning;
      record({ token, kind, exitCode, metrics, at: clock.now() }).then(
        ({ known }) => {
          if (!known) void reply.send(notFound('ping address'));
          else void reply.type('application/json; charset=utf-8').send('{"ok":true}');
        },
        (error: unknown) => void reply.send(error),
      );
    };
    // No ping may be lost because of an invalid content type. So this hook replaces each content type by one of two
    // valid types, depending on whether it declares JSON.
    const forgetType = (request: FastifyRequest, _: FastifyReply, done: () => void) => {
      const type = request.raw.headers['content-type'];
      if (type !== undefined) {
        request.raw.headers['content-type'] = claimsJson(type) ? 'application/json' : 'application/octet-stream';
      }
      done();
    };
    for (const url of ['/ping/:token', '/ping/:token/:signal']) {
      pings.get(url, answer);
      pings.post(url, { onRequest: forgetType }, answer);
    }
  });
}

const plain: Signal = { kind: 'success', exitCode: null };

/**
 * Returns the signal that a word in the address means: `start`, `fail`, or an exit code from 0 to 255. Returns null for
 * any other word.
 */
function signalOf(word: string): Signal | null {
  if (word === 'start') return { kind: 'start', exitCode: null };
  if (word === 'fail') return { kind: 'failure', exitCode: null };
  if (!/^(0|[1-9]\d{0,2})$/.test(word) || Number(word) > 255) return null;
  return { kind: word === '0' ? 'success' : 'failure', exitCode: Number(word) };
}

function metricsOf(request: FastifyRequest): string | null {
  const body = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  const claims = claimsJson(request.headers['content-type']);
  // A compressed body is refused only if it is declared as JSON. Any other compressed body is recorded as a ping
  // without metrics.
  if (claims && isEncoded(request.headers)) throw encodedBody();
  const read = readMetrics(decode(body), body.length, claims);
  if (read.ok) return read.metrics && JSON.stringify(read.metrics);
  if (read.reason === 'invalid') throw invalid(read.faults);
  throw tooLarge(maxMetricsBytes);
}

const tooLarge = (maxBytes: number) =>
  new ServiceError(
    'payload_too_large',
    maxBytes === maxMetricsBytes
      ? `Metrics may have at most ${maxBytes} bytes.`
      : `The body of a ping may have at most ${maxBytes} bytes.`,
  );
