import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: anyone (`public`); the holder of a ping token (`ping`); a project's API key, or a session that
 * names the project by `x-project-id` (`project`); the project's own key or its owner's session (`owner`);
 * a session (`session`); an admin's session (`admin`).
 */
export type Access = 'public' | 'ping' | 'project' | 'owner' | 'session' | 'admin';

/** One endpoint of the interface. Routes, OpenAPI and tests are made from these. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `{base_url}`; with `site: true` relative to `{site_url}`. Parameters as `:name`. */
  path: string;
  site?: true;
  summary: string;
  access: Access;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body of a success; null where there is none. */
  response: z.ZodType | null;
  status: 200 | 201 | 204;
  /** Takes an Idempotency-Key: the same key and body within 24 h get the first answer again. */
  creates?: true;
  /** Most calls of one project in a minute, where all that it names counts together. */
  mostAMinute?: number;
  /** The server answers it however much else it has to do. */
  neverRefused?: true;
  /** Error codes beyond those that its access, query and body imply. */
  errors?: readonly ErrorCode[];
}

/** Keeps the literal types of a group of endpoints while the compiler checks their shape. */
export const endpoints = <const T extends Record<string, Endpoint>>(group: T): T => group;
