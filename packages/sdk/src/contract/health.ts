import { z } from 'zod';
import { endpoints } from './endpoint.ts';

export const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    reason: z.string().nullable().describe('Why it is not available.'),
    warnings: z.array(z.string()).describe('What works less than fully, such as a region that nobody serves.'),
  })
  .meta({ id: 'Health' });

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
