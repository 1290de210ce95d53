import type { IncomingMessage } from 'node:http';
import { maxMetricsBytes } from '@uptime/sdk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readMetrics } from '../core/metrics.ts';
import type { Clock } from '../deps.ts';
import { invalid, notFound, ServiceError } from '../errors.ts';
import type { ReceivedPing } from '../recording/record-pings.ts';
import { isPingToken } from '../resources/secrets.ts';
import { claimsJson, decode, encodedBody, isEncoded, maxBodyBytes } from './body.ts';
import { type BodyBudget, readBody } from './body-budget.ts';
import { networkOf } from './network-of.ts';

/** Resolves once the ping is durable, or with `known: false` if no monitor has its token. */
export type RecordPing = (ping: ReceivedPing) => Promise<{ known: boolean }>;

type Signal = Pick<ReceivedPing, 'kind' | 'exitCode'>;

/** The routes that jobs call. They are called very often, so they run only the necessary code. */
export function addPings(
  app: FastifyInstance,
  { record, clock, bodies }: { record: RecordPing; clock: Clock; bodies: BodyBudget },
): void {
  app.register(async (pings) => {
    pings.removeAllContentTypeParsers();
    pings.addContentTypeParser('*', (request, body: IncomingMessage, done) => {
      const { 'content-length': length, 'content-type': type } = request.headers;
      const mostBytes = claimsJson(type) ? maxMetricsBytes : maxBodyBytes;
      // A length over the limit is refused before a byte of the body is read.
      if (Number(length ?? 0) > mostBytes) return done(tooLarge(mostBytes));
      const limits = { limit: mostBytes, free: maxMetricsBytes, caller: networkOf(request.ip), budget: bodies };
      readBody(body, limits, (error, read) => {
        if (error || !read) return done(error);
        if ('bytes' in read) return done(null, read.bytes);
        // A long text still counts as a ping if the budget has no room for it. Metrics are short, so they are never
        // lost.
        return read.refused === 'too_large' ? done(tooLarge(mostBytes)) : done(null, undefined);
      });
    });
    // This function is not async, because each promise in the handling of a ping adds 5% to its cost.
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
    // No ping may be lost because of an invalid content type. So only one thing counts: whether the type claims JSON.
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

/** The signal of `/start`, `/fail` or an exit code from 0 to 255; null for any other word. */
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
  // A compressed body that does not claim to be JSON is not refused: it is a ping without metrics.
  if (claims && isEncoded(request.headers)) throw encodedBody();
  const read = readMetrics(decode(body), body.length, claims);
  if (read.ok) return read.metrics && JSON.stringify(read.metrics);
  if (read.reason === 'invalid') throw invalid(read.faults);
  throw tooLarge(maxMetricsBytes);
}

const tooLarge = (mostBytes: number) =>
  new ServiceError(
    'payload_too_large',
    mostBytes === maxMetricsBytes
      ? `Metrics may have at most ${mostBytes} bytes.`
      : `The body of a ping may have at most ${mostBytes} bytes.`,
  );
