import { type Fault, type problem } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { errorTitles, ServiceError } from '../errors.ts';

/** The media type of every error answer (RFC 9457). */
export const problemType = 'application/problem+json; charset=utf-8';

/** Returns the problem document that callers get for an error. It does not contain the error's cause, stack or SQL. */
export function problemOf(error: ServiceError, requestId: string): z.output<typeof problem> {
  const faults: readonly Fault[] | undefined = error.faults;
  return {
    ...error.members,
    type: `urn:uptime:problem:${error.code}`,
    title: errorTitles[error.code],
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(faults && { errors: faults.map(({ path, message }) => ({ path, message })) }),
  };
}

/** Returns any error as an error with a code of the contract. An unknown error becomes `internal`, without details. */
export function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, statusCode, message } = error as { code?: unknown; statusCode?: unknown; message?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError('payload_too_large', 'The body is too large.', { cause: error });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ServiceError('unsupported_media_type', 'The body must be JSON.', { cause: error });
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new ServiceError('not_found', 'There is nothing at this address.');
  // Fastify's other errors with a status below 500 are about the request, so callers may see their messages.
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    return new ServiceError('invalid_request', String(message), { cause: error });
  }
  return new ServiceError('internal', 'The server failed. Its log has details under this requestId.', {
    cause: error,
  });
}
