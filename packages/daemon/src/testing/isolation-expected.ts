import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import type { Operation } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
import { type Whose, type World } from './isolation-world.ts';

/** A kind of caller: the credential that it sends, and what the credential gives access to. */
export interface Caller {
  kind: 'nobody' | 'key' | 'session';
  headers: (world: World) => Record<string, string>;
  /** The owner of the project that an operation would use; `none` if the caller names no project. */
  opens: Whose | 'none';
  /** The person to whom a session belongs. */
  person?: 'owner' | 'stranger' | 'admin';
}

/** The status that a caller with access gets from operations that cannot succeed in this test. */
const reached: Partial<Record<Operation, number>> = {
  // The test has no mail server, and the page has no domain of its own.
  testChannel: 502,
  verifyDomain: 409,
  // This server sends no confirmation codes.
  confirmChannel: 409,
  // The test has no payment provider.
  createCheckout: 409,
  billingWebhook: 404,
};

/** Returns the status that a call must get. `target` says to whom the resource in the path belongs. */
export function expected(operation: Operation, endpoint: Endpoint, caller: Caller, target: Whose | null): number {
  const ok = reached[operation] ?? (operation in handlers || endpoint.access === 'ping' ? endpoint.status : 501);
  const own = { owner: 'mine', stranger: 'theirs', admin: null } as const;
  switch (endpoint.access) {
    case 'public':
      return ok;
    case 'ping':
      return target === 'unknown' ? 404 : ok;
    case 'project':
      if (caller.kind === 'nobody') return 401;
      if (caller.opens === 'none') return 400;
      return caller.opens === 'unknown' || (target && target !== caller.opens) ? 404 : ok;
    case 'owner':
      if (caller.kind === 'nobody') return 401;
      return target === (caller.person ? own[caller.person] : caller.opens) ? ok : 404;
    case 'session':
      if (caller.kind !== 'session') return caller.kind === 'key' ? 403 : 401;
      return target && target !== own[caller.person!] ? 404 : ok;
    case 'admin':
    default:
      if (caller.kind !== 'session') return caller.kind === 'key' ? 403 : 401;
      if (caller.person !== 'admin') return 403;
      return target === 'unknown' ? 404 : ok;
  }
}

export const operations = Object.entries(allEndpoints) as [Operation, Endpoint][];

/**
 * Routes outside the contract. Anyone may read them, and they change nothing. `found` is the status for an existing
 * page, and `unknown` is the status for an unknown page (default 404).
 */
export const siteRoutes: Record<string, { found: number; unknown?: number }> = {
  '/': { found: 200 },
  // This page needs the link from an alert, which the test does not have.
  '/alerts/:link': { found: 404 },
  // The daemon of this test has no built files.
  '/cli.tgz': { found: 404 },
  '/sdk.tgz': { found: 404 },
  '/uptime.mjs': { found: 404 },
  '/schema/monitors.schema.json': { found: 404 },
  '/install.sh': { found: 404 },
  '/uptime': { found: 404 },
  '/api/openapi.json': { found: 200 },
  '/status/:slug': { found: 200 },
  '/status/:slug/feed.atom': { found: 200 },
  '/status/:slug/badge.svg': { found: 200 },
  // Redirects to the page, whether it exists or not.
  '/status/:slug/': { found: 301, unknown: 301 },
  '/status/:slug/history': { found: 200 },
  // No month and no incident has the name that the test requests.
  '/status/:slug/history/:month': { found: 404 },
  '/status/:slug/incidents/:publicId': { found: 404 },
  '/status/*': { found: 404 },
  // The proof exists only while a certificate is being ordered.
  '/.well-known/acme-challenge/:token': { found: 404 },
};

/** Routes that exist only with a payment provider. They work only at the address that a checkout returned. */
export const paymentRoutes = ['/checkout/success', '/checkout/canceled', '/checkout/sandbox'];

/** Routes that accept only the credentials of an admin: see http/metrics.test.ts. */
export const operatorRoutes = ['/metrics'];

/** The endpoints for probes. They accept only a probe's token: see probes/attacks.test.ts. */
export const probeRoutes = ['/api/probe/sync', '/api/probe/results'];
