import type { Fault, Problem } from './types.ts';

/** The kind of an error, for programs. `unexpected_answer` means that the answer did not come from this API. */
export type ErrorCode = Problem['code'] | 'unexpected_answer';

/**
 * The base class of every error of this SDK. The SDK throws it directly for invalid options and arguments.
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

/** No answer arrived: the address is wrong, the server is down, or the connection broke. `cause` has the reason. */
export class ConnectionError extends UptimeError {
  override name = 'ConnectionError';
}

/** The last attempt got no complete answer within `timeout` milliseconds. */
export class TimeoutError extends UptimeError {
  override name = 'TimeoutError';
}

/** The caller's signal aborted the call; `cause` is the signal's reason. */
export class AbortedError extends UptimeError {
  override name = 'AbortedError';
}

/** The fields of an {@link ApiError}. */
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
  /** Description of this error, and what to do. `message` is the same text. */
  declare readonly detail: string;
  /** Every fault of the input; empty for other errors. */
  declare readonly errors: readonly Fault[];
  /** Identifies this request in the server's log; null if the server sent no id. */
  declare readonly requestId: string | null;
  /** Seconds to wait before the next attempt, as the server asks; null if it does not ask. */
  declare readonly retryAfter: number | null;

  constructor(init: ApiErrorInit) {
    super(init.detail);
    Object.assign(this, { errors: [], requestId: null, retryAfter: null }, init);
  }
}

/** 400: body or query is invalid; `errors` has every fault. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** 401: the credential is missing, or not valid. */
export class UnauthenticatedError extends ApiError {
  override name = 'UnauthenticatedError';
}

/** 402: the request would exceed a limit of the plan; `detail` names the limit and its value. */
export class PlanLimitError extends ApiError {
  override name = 'PlanLimitError';
}

/** 403: the credential is valid, but its kind or scope does not allow this call. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}

/** 404: the object does not exist, or belongs to another project. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the request conflicts with the current state, such as a key that is already taken. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429: too many requests; `retryAfter` says how many seconds to wait. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the server failed, or a proxy in front of the server failed. */
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

/** Creates an error. The HTTP status decides its class. */
export function apiError(init: ApiErrorInit): ApiError {
  return new (byStatus[init.status] ?? (init.status >= 500 ? ServerError : ApiError))(init);
}
