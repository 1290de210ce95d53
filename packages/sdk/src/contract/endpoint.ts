import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { KeyScope } from './key-scopes.ts';

/**
 * The callers that an endpoint accepts:
 * - `public`: anyone
 * - `ping`: the holder of a ping token
 * - `project`: a project's API key, or a session that names the project by `x-project-id`
 * - `owner`: a key of the named project, or its owner's session
 * - `session`: a session
 * - `admin`: an admin's session
 */
export type Access = 'public' | 'ping' | 'project' | 'owner' | 'session' | 'admin';

/** Maximum number of bytes of a request's body. A body of metrics in a ping has a smaller limit. */
export const maxBodyBytes = 1024 * 1024;

/** One endpoint of the API. The routes, the OpenAPI document and tests are made from endpoints. */
export type Endpoint = Described & (WithoutKey | ReadByKey | ChangeByKey);

/** An endpoint to which an API key gives no access. */
interface WithoutKey {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  access: Exclude<Access, 'project' | 'owner'>;
  scope?: never;
}

/**
 * A read. A key needs at least the scope `read`. With `scope: 'ping'`, the scope `ping` is enough, because jobs that
 * send pings use the endpoint.
 */
interface ReadByKey {
  method: 'GET';
  access: 'project' | 'owner';
  scope?: 'ping';
}

/** A change. `scope` is the smallest scope with which a key may make the change. */
interface ChangeByKey {
  method: 'POST' | 'PATCH' | 'DELETE';
  access: 'project' | 'owner';
  scope: KeyScope;
}

interface Described {
  /** The path after `{base_url}`. With `site: true`, the path after `{site_url}`. A parameter is written `:name`. */
  path: string;
  site?: true;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body of a successful answer; null if the body is empty. */
  response: z.ZodType | null;
  status: 200 | 201 | 204;
  /** Accepts an Idempotency-Key. For 24 h, a second request with the same key and body gets the first answer. */
  creates?: true;
  /** A POST that has no further effect if it is repeated. */
  idempotent?: true;
  /** Maximum number of calls that a project may make in a minute, for all its resources together. */
  maxPerMinute?: number;
  /** The server always serves this endpoint, even if it refuses other requests under load. */
  neverRefused?: true;
  /** This endpoint has a hand-written route. The server makes the routes of all other endpoints from the contract. */
  ownRoute?: true;
  /** An error whose body has more fields than a usual problem document. */
  ownProblem?: { status: 503; description: string; body: z.ZodType };
  /** Error codes that do not follow from `access`, `query` and `body`. */
  errors?: readonly ErrorCode[];
}

/** Returns the group unchanged. The compiler checks the shape of each endpoint, and keeps its literal types. */
export const endpoints = <const T extends Record<string, Endpoint>>(group: T): T => group;
