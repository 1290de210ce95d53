import { type ErrorCode, errorStatus, type Fault } from '@uptime/sdk/contract';

/** A failure with one of the contract's codes. The folder `http` turns it into a response (problem+json). */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[] | undefined;
  /** Seconds that the client should wait before it tries again. Only for the codes `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** Additional members of the response's body. */
  readonly members: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      faults?: readonly Fault[];
      retryAfterSeconds?: number;
      members?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorStatus[code];
    this.faults = more.faults;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.members = more.members;
  }
}

/** The title of each kind of error. */
export const errorTitles: Record<ErrorCode, string> = {
  invalid_request: 'The request is not valid',
  unauthenticated: 'No valid credential',
  plan_limit_exceeded: 'The plan does not allow this',
  forbidden: 'Not allowed with this credential',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  payload_too_large: 'The body is too large',
  unsupported_media_type: 'The body is not JSON',
  rate_limited: 'Too many requests',
  internal: 'Server error',
  not_implemented: 'Not implemented',
  delivery_failed: 'Refused by the provider',
  unavailable: 'Currently unavailable',
};

export const invalid = (faults: readonly Fault[]) =>
  new ServiceError(
    'invalid_request',
    faults.map((fault) => (fault.path ? `${fault.path} ${fault.message}` : fault.message)).join('; '),
    { faults },
  );

export const accountDisabled = () =>
  new ServiceError('unauthenticated', 'This account is disabled. Ask the operator of this server.');

/**
 * The error for a thing that does not exist or belongs to another project. It is the same error for both, so that it
 * does not reveal whether the thing exists.
 */
export const notFound = (what: string) => new ServiceError('not_found', `There is no such ${what}.`);
