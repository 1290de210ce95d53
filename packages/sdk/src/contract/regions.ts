import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { timestamp } from './fields.ts';
import { probe } from './probes.ts';

export const region = z
  .object({
    name: z.string(),
    served: z.boolean().describe('Whether a daemon or a probe of this region has reported within the last 30 seconds.'),
    status: z
      .enum(['reporting', 'unknown'])
      .describe(
        '`unknown` if no daemon or probe has reported from the region for 30 seconds. The results of the region are then missing.',
      ),
    lastSeenAt: timestamp.describe('When a daemon or a probe of this region last reported.'),
    probes: z.array(probe).describe('The probes of this region. A daemon that checks from the region is not listed.'),
  })
  .meta({ id: 'Region' });

export const regionEndpoints = endpoints({
  listRegions: {
    method: 'GET',
    path: '/regions',
    access: 'project',
    status: 200,
    summary: 'List the regions that a daemon or a probe serves or has served, with their probes.',
    response: z.array(region),
  },
});
