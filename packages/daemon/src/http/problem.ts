import { type Fault, type problem } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { errorTitles, ServiceError } from '../errors.ts';

/** The media type of every error answer (RFC 9457). */
export const problemType = 'application/problem+json; charset=utf-8';

/** An error as callers see it, without its cause, stack or SQL. */
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

/** Turns any error into one of the contract's. Unknown errors become `internal`, without details. */
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
  // Apart from these, only Fastify's messages about a request may be shown to callers.
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    return new ServiceError('invalid_request', String(message), { cause: error });
  }
  return new ServiceError('internal', 'The server failed. Its log has details under this requestId.', {
    cause: error,
  });
}
