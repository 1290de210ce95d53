import * as z from 'zod';
import { date, timestamp } from './fields.ts';
import { incidentUpdate } from './incidents.ts';

/** An incident or a maintenance window on a public page. */
export const pageIncident = z
  .object({
    title: z.string(),
    url: z.string().describe('Address of a page with only this incident and all its updates.'),
    status: incidentUpdate.shape.status,
    phase: z
      .enum(['scheduled', 'in_progress', 'completed', 'called_off'])
      .nullable()
      .describe('The state of a maintenance window; null for an incident.'),
    startedAt: timestamp,
    scheduledEnd: timestamp.optional(),
    resolvedAt: timestamp.nullable(),
    monitors: z.array(z.string()).describe('Names of the affected monitors, at most ten.'),
    moreMonitors: z.int().describe("How many more of the page's monitors are affected."),
    updates: z.array(incidentUpdate.omit({ id: true })).describe('The latest ten updates, oldest first.'),
    whole: z.boolean().describe('Whether all updates are listed here, each with its whole message.'),
  })
  .meta({ id: 'PageIncident' });

/** A monitor on a public page. */
export const pageMonitor = z
  .object({
    name: z.string(),
    group: z
      .string()
      .nullable()
      .describe("Value of the label that the page's `groupBy` names; null for a monitor without this label."),
    status: z.enum(['up', 'down', 'maintenance', 'paused', 'unknown']),
    downSince: timestamp.nullable(),
    uptime90d: z.number().nullable(),
    days: z.array(z.object({ date, uptime: z.number().nullable(), downSeconds: z.int(), maintenanceSeconds: z.int() })),
  })
  .meta({ id: 'PageMonitor' });

/** A public status page as JSON. */
export const publicPage = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    homeUrl: z.string().nullable(),
    url: z.string(),
    status: z.enum(['up', 'down', 'incident', 'maintenance', 'unknown']),
    summary: z.string(),
    madeAt: timestamp,
    next: z
      .string()
      .nullable()
      .describe('Address of the next part, with up to 200 more monitors; null on the last part.'),
    monitors: z.array(pageMonitor),
    incidents: z.array(pageIncident),
    maintenance: z.array(pageIncident),
    history: z.string().describe("Address of the page's incidents by month."),
    more: z.boolean().describe('Whether the page has more open, planned or recent incidents than are listed here.'),
  })
  .meta({ id: 'PublicPage' });

export type PageIncident = z.infer<typeof pageIncident>;
export type PageMonitor = z.infer<typeof pageMonitor>;
export type PublicPage = z.infer<typeof publicPage>;
