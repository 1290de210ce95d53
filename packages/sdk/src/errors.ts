import type { Fault, Problem } from './types.ts';

/** The kind of an error answer, for programs; `unexpected_answer` where the answer was not one of this interface. */
export type ErrorCode = Problem['code'] | 'unexpected_answer';

/**
 * What every error of this SDK is an instance of; thrown itself for options and arguments that cannot work.
 *
 * @example
 * try {
 *   await uptime.monitors.list();
 * } catch (error) {
 *   if (error instanceof UptimeError) console.error(error.message);
 * }
 */
export class UptimeError extends Error {
  override name = 'UptimeError';
}

/** No answer came: the address is wrong, the server is down, or the connection broke. `cause` says which. */
export class ConnectionError extends UptimeError {
  override name = 'ConnectionError';
}

/** No whole answer came within `timeout` milliseconds, in the last of all attempts. */
export class TimeoutError extends UptimeError {
  override name = 'TimeoutError';
}

/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends UptimeError {
  override name = 'AbortedError';
}

/** What an {@link ApiError} is made of. */
export interface ApiErrorInit {
  status: number;
  code: ErrorCode;
  title: string;
  detail: string;
  errors?: readonly Fault[];
  requestId?: string | null;
  retryAfter?: number | null;
}

/**
 * The server answered with an error. Each common status has a subclass.
 *
 * @example
 * try {
 *   await uptime.monitors.create({ type: 'tcp', name: 'db', host: 'db.internal', port: 0 });
 * } catch (error) {
 *   if (error instanceof ApiError) for (const { path, message } of error.errors) console.error(path, message);
 * }
 */
export class ApiError extends UptimeError {
  override name = 'ApiError';
  /** HTTP status. */
  declare readonly status: number;
  /** The kind of error, for programs. */
  declare readonly code: ErrorCode;
  /** The kind of error, in words. */
  declare readonly title: string;
  /** What went wrong here, and what to do; also the `message`. */
  declare readonly detail: string;
  /** Every fault of the input; empty for other errors. */
  declare readonly errors: readonly Fault[];
  /** Names this request in the server's logs; null where the server gave none. */
  declare readonly requestId: string | null;
  /** Seconds that the server asks to wait before the next try; null where it asks for nothing. */
  declare readonly retryAfter: number | null;

  constructor(init: ApiErrorInit) {
    super(init.detail);
    Object.assign(this, { errors: [], requestId: null, retryAfter: null }, init);
  }
}

/** 400: body or query does not validate; `errors` has every fault. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** 401: no credential, or one that is not valid. */
export class UnauthenticatedError extends ApiError {
  override name = 'UnauthenticatedError';
}

/** 402: more monitors, a shorter interval or more regions than the plan allows; `detail` names limit and value. */
export class PlanLimitError extends ApiError {
  override name = 'PlanLimitError';
}

/** 403: a valid credential of the wrong kind. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}

/** 404: unknown, or another project's. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: something is taken already, or still referenced. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429: too many requests; `retryAfter` says how many seconds to wait. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the server, or what stands before it, failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthenticatedError,
  402: PlanLimitError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error of the class that belongs to its status. */
export function apiError(init: ApiErrorInit): ApiError {
  return new (byStatus[init.status] ?? (init.status >= 500 ? ServerError : ApiError))(init);
}
