import * as z from 'zod';

/** Every error code that an answer may carry, with its HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  plan_limit_exceeded: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  delivery_failed: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** One fault of an input: where it is and what was expected. */
export const fault = z
  .object({
    path: z.string().describe('Where the fault is: field names and indexes joined by dots; empty for the whole body.'),
    message: z.string().describe('The expected value.'),
  })
  .meta({ id: 'Fault' });

export const problem = z
  .object({
    type: z.string().describe('A URI that names the kind of error.'),
    title: z.string().describe('The kind of error in words.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('Description of this error, and what to do.'),
    code: z.enum(errorCodes).describe('The kind of error, for programs.'),
    requestId: z.string().describe("Identifies this request in the server's log."),
    errors: z.array(fault).optional().describe('Every fault, for a validation failure or an exceeded plan limit.'),
  })
  .meta({ id: 'Problem', description: 'An error answer (RFC 9457, `application/problem+json`).' });
