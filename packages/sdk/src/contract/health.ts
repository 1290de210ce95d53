import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { problem } from './errors.ts';

export const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    reason: z.string().nullable().optional().describe('Why the server is unavailable. Only the operator sees this.'),
    roles: z
      .array(z.string())
      .optional()
      .describe('The roles of this node, such as `api` and `checker`. Only the operator sees this.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'Parts that do not fully work, such as a region that no daemon or probe serves. Only the operator sees this.',
      ),
  })
  .meta({ id: 'Health' });

/** The answer of an unhealthy server. */
export const unhealthy = problem
  .extend({
    ...health.omit({ status: true }).shape,
    reason: z.string().optional().describe('Why the server is unavailable. Only the operator sees this.'),
  })
  .meta({ id: 'Unhealthy', description: 'The problem document of an unavailable server.' });

export const healthEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/healthz',
    site: true,
    access: 'public',
    neverRefused: true,
    status: 200,
    summary:
      'Report health: 200 when the server can write and checks run on time, otherwise 503. Only a request with an admin’s session, or with the API key of an admin’s project, gets reason, roles and warnings.',
    response: health,
    ownProblem: { status: 503, description: 'The daemon cannot serve; `reason` says why.', body: unhealthy },
  },
});
