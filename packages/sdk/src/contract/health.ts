import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { problem } from './errors.ts';

export const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    reason: z.string().nullable().optional().describe('Why it is not available. For the operator alone.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What works less than fully, such as a region that nobody serves. For the operator alone.'),
  })
  .meta({ id: 'Health' });

/** What is answered in place of a health that is none. */
export const unhealthy = problem
  .extend({
    ...health.omit({ status: true }).shape,
    reason: z.string().optional().describe('Why it is not available. For the operator alone.'),
  })
  .meta({ id: 'Unhealthy', description: 'The problem document of a server that is not available.' });

export const healthEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/healthz',
    site: true,
    access: 'public',
    neverRefused: true,
    status: 200,
    summary:
      '200 when it can write and schedules on time, 503 otherwise. Reason and warnings are for the operator: an admin’s session, or the API key of a project of theirs.',
    response: health,
  },
});
