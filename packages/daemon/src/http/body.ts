import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { invalid, ServiceError } from '../errors.ts';
import { jsonFault } from './json-fault.ts';

/** Most bytes of a body, other than a ping's. */
export const maxBodyBytes = 1024 * 1024;

const json = /^application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i;

/** Whether a content type claims JSON, a merge patch's own type included. */
export const claimsJson = (contentType: string | undefined): boolean => json.test(contentType ?? '');

/** Takes JSON bodies and no others; an empty one is none, whatever its type. */
export function parseJsonBodies(app: FastifyInstance): void {
  // `__proto__` is read as a field like any other: whatever validates the body then refuses it by its name.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (isEncoded(request.headers)) return done(encodedBody());
    if (!claimsJson(request.headers['content-type'])) {
      return done(
        new ServiceError('unsupported_media_type', 'The body must be JSON: send content-type application/json.'),
      );
    }
    const text = decode(body);
    if (text === null) return done(invalid([{ path: '', message: 'must be UTF-8' }]));
    return parse(request, text, (error, value) => {
      if (error) return done(invalid([{ path: '', message: 'must be valid JSON' }]));
      const fault = jsonFault(text);
      return fault === null ? done(null, value) : done(invalid([{ path: '', message: fault }]));
    });
  });
}

/** Whether a body is compressed, or otherwise not what its content type says. */
export const isEncoded = ({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean =>
  !/^\s*(?:identity)?\s*$/i.test(encoding);

export const encodedBody = () =>
  new ServiceError('unsupported_media_type', 'The body must not be compressed: send it without a Content-Encoding.');

/** UTF-8 as text, without a byte order mark, or null where it is none. */
export function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
