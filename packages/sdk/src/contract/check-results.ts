import * as z from 'zod';
import { timestamp } from './fields.ts';

/** Why a check failed. `internal` is a fault of the checker itself: never a verdict. */
export const checkErrorCodes = [
  'dns_not_found',
  'dns_no_data',
  'dns_server_failure',
  'dns_refused',
  'dns_timeout',
  'dns_bad_response',
  'dns_value_mismatch',
  'connect_refused',
  'connect_timeout',
  'unreachable',
  'reset',
  'timeout',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_hostname',
  'tls_untrusted',
  'tls_incomplete_chain',
  'tls_purpose',
  'tls_weak',
  'tls_protocol',
  'tls_client_cert',
  'tls_other',
  'http_status',
  'http_body_mismatch',
  'http_protocol',
  'http_redirect',
  'http_decode',
  'http_incomplete',
  'http_too_large',
  'blocked_target',
  'no_ping',
  'internal',
] as const;

export const checkError = z
  .object({
    code: z.enum(checkErrorCodes),
    message: z.string().describe('One line, at most 300 characters.'),
  })
  .meta({ id: 'CheckError' });

export const timings = z
  .object({
    dns: z.number().nullable(),
    connect: z.number().nullable(),
    tls: z.number().nullable(),
    firstByte: z.number().nullable(),
    download: z.number().nullable(),
  })
  .meta({ id: 'Timings', description: 'Milliseconds spent in each phase; null for a phase that did not happen.' });

export const checkResult = z
  .object({
    status: z.enum(['up', 'down', 'internal']).describe('`internal` is a fault of the checker itself, not a verdict.'),
    checkedAt: timestamp,
    region: z.string(),
    responseTime: z.number().nullable().describe('Milliseconds.'),
    statusCode: z.int().nullable(),
    error: checkError.nullable(),
    timings: timings.nullable(),
    trace: z
      .array(z.object({ at: z.number().describe('Milliseconds from the start.'), event: z.string() }))
      .describe('The steps of the check, in order.'),
  })
  .meta({ id: 'CheckResult' });

export type CheckErrorCode = (typeof checkErrorCodes)[number];
export type CheckError = z.output<typeof checkError>;
