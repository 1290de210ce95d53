import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { timestamp } from './fields.ts';

export const region = z
  .object({
    name: z.string(),
    served: z.boolean().describe('Whether a daemon runs checks from this region now.'),
    lastSeenAt: timestamp.describe('When a daemon of this region last reported.'),
  })
  .meta({ id: 'Region' });

export const regionEndpoints = endpoints({
  listRegions: {
    method: 'GET',
    path: '/regions',
    access: 'project',
    status: 200,
    summary: 'List the regions that a daemon serves or has served.',
    response: z.array(region),
  },
});
