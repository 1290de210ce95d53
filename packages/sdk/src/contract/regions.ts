import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { timestamp } from './fields.ts';

export const region = z
  .object({
    name: z.string(),
    served: z.boolean().describe('Whether a daemon checks from it now.'),
    lastSeenAt: timestamp.describe('When its daemon last gave a sign of life.'),
  })
  .meta({ id: 'Region' });

export const regionEndpoints = endpoints({
  listRegions: {
    method: 'GET',
    path: '/regions',
    access: 'project',
    status: 200,
    summary: 'List the regions that a daemon serves, or has served before.',
    response: z.array(region),
  },
});
