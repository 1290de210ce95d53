import { faultAt, maxBodyBytes } from '@uptime/sdk/contract';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, ServiceError } from '../errors.ts';
import { type BodyBudget, readBody } from './body-budget.ts';
import { jsonFault } from './json-fault.ts';
import { type BodySize, jsonSizeFault } from './json-size.ts';
import { networkOf } from './network-of.ts';
import type { RequestTurns } from './request-turns.ts';

const json = /^application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i;

/** Whether a content type says that the body is JSON, as `application/json` and `application/merge-patch+json` do. */
export const claimsJson = (contentType: string | undefined): boolean => json.test(contentType ?? '');

/** A body of at least this many bytes waits for a turn (request-turns.ts), because parsing it takes milliseconds. */
const longFromBytes = 16_384;

/** A body of at most this many bytes does not use the budget (body-budget.ts). Most bodies are smaller. */
const freeBytes = 4096;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum numbers of names and values in a body of this route. Default: `usualBody` in json-size.ts. */
    bodySize?: BodySize;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/** Accepts only JSON bodies. An empty body is treated as a missing body, whatever its content type is. */
export function parseJsonBodies(app: FastifyInstance, bodies: BodyBudget, turns: Pick<RequestTurns, 'next'>): void {
  // `__proto__` is parsed as an ordinary field, so that validation refuses it by name.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  const parseBody = (request: FastifyRequest, body: Buffer, done: Done) => {
    if (body.length === 0) return done(null);
    if (isEncoded(request.headers)) return done(encodedBody());
    if (!claimsJson(request.headers['content-type'])) {
      return done(
        new ServiceError('unsupported_media_type', 'The body must be JSON: send content-type application/json.'),
      );
    }
    const oversize = jsonSizeFault(body, request.routeOptions.config.bodySize);
    if (oversize !== null) return done(invalid([oversize]));
    const text = decode(body);
    if (text === null) return done(invalid([faultAt('', 'not_utf8')]));
    void parse(request, text, (error, value) => {
      if (error) return done(invalid([faultAt('', 'not_json')]));
      const fault = jsonFault(text);
      return fault === null ? done(null, value) : done(invalid([fault]));
    });
  };
  takeBodies(app, bodies, (request, body, done) =>
    body.length < longFromBytes
      ? parseBody(request, body, done)
      : turns.next(networkOf(request.ip)).then(() => parseBody(request, body, done)),
  );
}

/** Accepts bodies of any type, as bytes. */
export const takeBytes = (app: FastifyInstance, bodies: BodyBudget): void =>
  takeBodies(app, bodies, (_, body, done) => done(null, body));

function takeBodies(
  app: FastifyInstance,
  budget: BodyBudget,
  parse: (request: FastifyRequest, body: Buffer, done: Done) => void | Promise<void>,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, body: IncomingMessage, done: Done) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return done(tooLarge());
    const limits = { limit: maxBodyBytes, free: freeBytes, caller: networkOf(request.ip), budget };
    readBody(body, limits, (error, read) => {
      if (error || !read) return done(error);
      if ('bytes' in read) return parse(request, read.bytes, done);
      if (read.refused === 'too_large') return done(tooLarge());
      done(
        new ServiceError('unavailable', 'The server is receiving too many long requests. Send this request again.', {
          retryAfterSeconds: 2,
        }),
      );
    });
  });
}

const tooLarge = () => new ServiceError('payload_too_large', `A body may have at most ${maxBodyBytes} bytes.`);

/** Whether a body is compressed, or encoded in another way that its content type does not name. */
export const isEncoded = ({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean =>
  !/^\s*(?:identity)?\s*$/i.test(encoding);

export const encodedBody = () =>
  new ServiceError('unsupported_media_type', 'The body must not be compressed: send it without a Content-Encoding.');

/** Decodes UTF-8 to text without a byte order mark. Returns null if the bytes are not UTF-8. */
export function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
