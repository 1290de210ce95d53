export { Uptime } from './client.ts';
export {
  AbortedError,
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlanLimitError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthenticatedError,
  UptimeError,
} from './errors.ts';
export type { ApiErrorInit, ErrorCode } from './errors.ts';
export type { RequestEvent, RequestOptions, UptimeOptions } from './options.ts';
export type { SignedInWithCookie } from './resources/auth.ts';
export type { Ping } from './resources/heartbeats.ts';
export type { MonitorOf, MonitorStatus, MonitorType } from './resources/monitors.ts';
export type * from './types.ts';
