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

/** One endpoint of the API. The server's routes, the OpenAPI document and tests are made from these. */
export type Endpoint = Described & (WithoutKey | ReadByKey | ChangeByKey);

/** An endpoint to which an API key gives no access. */
interface WithoutKey {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  access: Exclude<Access, 'project' | 'owner'>;
  scope?: never;
}

/** A read needs a key with the scope `read`. It needs only `ping` if jobs that send pings also need the read. */
interface ReadByKey {
  method: 'GET';
  access: 'project' | 'owner';
  scope?: 'ping';
}

/** Each change names the least scope of a key that may make it. */
interface ChangeByKey {
  method: 'POST' | 'PATCH' | 'DELETE';
  access: 'project' | 'owner';
  scope: KeyScope;
}

interface Described {
  /** Relative to `{base_url}`; with `site: true` relative to `{site_url}`. Parameters as `:name`. */
  path: string;
  site?: true;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body of a success; null for an empty one. */
  response: z.ZodType | null;
  status: 200 | 201 | 204;
  /** Takes an Idempotency-Key: repeating key and body within 24 h returns the first answer. */
  creates?: true;
  /** Maximum number of calls that a project may make in a minute, whichever resources they name. */
  mostAMinute?: number;
  /** The server always serves this endpoint, even if it refuses other requests under load. */
  neverRefused?: true;
  /** The server has a special route for this endpoint. It makes the routes of the other endpoints from the contract. */
  ownRoute?: true;
  /** An error whose body has more fields than a usual problem document. */
  ownProblem?: { status: 503; description: string; body: z.ZodType };
  /** Error codes beyond those that its access, query and body imply. */
  errors?: readonly ErrorCode[];
}

/** Keeps the literal types of a group of endpoints while the compiler checks their shape. */
export const endpoints = <const T extends Record<string, Endpoint>>(group: T): T => group;
