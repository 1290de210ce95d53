import * as z from 'zod';
import { timestamp } from './fields.ts';
import { type MonitorType, monitorType, type monitorTypeDefinitions, monitorTypes } from './monitor-types/index.ts';

/** The error codes that several types of monitors share, each with its number in stored results. */
const sharedErrorCodes = {
  dns_not_found: 0,
  dns_no_data: 1,
  dns_server_failure: 2,
  dns_refused: 3,
  dns_timeout: 4,
  dns_bad_response: 5,
  connect_refused: 7,
  connect_timeout: 8,
  unreachable: 9,
  reset: 10,
  timeout: 11,
  tls_expired: 12,
  tls_not_yet_valid: 13,
  tls_hostname: 14,
  tls_untrusted: 15,
  tls_incomplete_chain: 16,
  tls_purpose: 17,
  tls_weak: 18,
  tls_protocol: 19,
  tls_client_cert: 20,
  tls_other: 21,
  blocked_target: 29,
  internal: 31,
} as const;

type Definitions = typeof monitorTypeDefinitions;

/** Why a check failed. `internal` means a fault of the checker itself; such a check has no verdict. */
export type CheckErrorCode =
  keyof typeof sharedErrorCodes | { [T in MonitorType]: keyof Definitions[T]['errorCodes'] }[MonitorType];

/** The number of each code in stored results. */
export const checkErrorNumbers = Object.assign(
  {},
  sharedErrorCodes,
  ...monitorTypes.map((type) => monitorType(type).errorCodes),
) as Readonly<Record<CheckErrorCode, number>>;

/** All codes, in the order of their numbers. */
export const checkErrorCodes = (Object.keys(checkErrorNumbers) as CheckErrorCode[]).toSorted(
  (a, b) => checkErrorNumbers[a] - checkErrorNumbers[b],
);

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

export type CheckError = z.output<typeof checkError>;
