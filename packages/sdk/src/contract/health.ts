import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { problem } from './errors.ts';

export const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    reason: z.string().nullable().describe('Why it is not available.'),
    warnings: z.array(z.string()).describe('What works less than fully, such as a region that nobody serves.'),
  })
  .meta({ id: 'Health' });

/** What is answered in place of a health that is none. */
export const unhealthy = problem
  .extend({ ...health.omit({ status: true }).shape, reason: z.string().describe('Why it is not available.') })
  .meta({ id: 'Unhealthy', description: 'The problem document of a server that is not available.' });

export const healthEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/healthz',
    site: true,
    access: 'public',
    status: 200,
    summary: '200 when it can write and schedules on time; 503 with the reason otherwise.',
    response: health,
  },
});
