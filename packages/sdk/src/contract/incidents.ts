import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { id, instant, line, managedBy, paging, timestamp } from './fields.ts';

export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

/** Maximum number of updates of an incident. An update that resolves it is always accepted. */
export const maxIncidentUpdates = 500;
/** How many of the latest updates a PATCH returns. */
export const updatesAnsweredToPatch = 25;

const status = z.enum(incidentStatuses);
const title = line(200).describe('Title, 1 to 200 characters.');
const message = z
  .string()
  .max(10_000)
  .refine((text) => !text.includes('\0'), { error: 'a text without NUL characters' })
  .describe('Text that is added to the timeline.');
const monitorIds = z.array(z.string()).max(1000).describe('Affected monitors.');

export const incidentInput = z
  .strictObject({
    managedBy,
    title,
    status: status
      .optional()
      .describe('A new incident begins as `investigating`, a maintenance window as `identified`.'),
    message: message.default(''),
    monitorIds: monitorIds.default([]),
    maintenance: z.boolean().default(false).describe('Marks a maintenance window.'),
    scheduledStart: instant.nullable().default(null).describe('Start of a maintenance window.'),
    scheduledEnd: instant.nullable().default(null).describe('End of a maintenance window.'),
  })
  .meta({ id: 'IncidentInput' });

export const incidentPatch = z
  .strictObject({
    managedBy: managedBy.unwrap().optional(),
    title: title.optional(),
    status: status.nullable().optional(),
    message: message.nullable().optional(),
    monitorIds: monitorIds.nullable().optional(),
    scheduledStart: instant.nullable().optional(),
    scheduledEnd: instant.nullable().optional(),
  })
  .meta({ id: 'IncidentPatch' });

export const incidentUpdate = z
  .object({ id: id('upd', 'update'), status, message: z.string(), createdAt: timestamp })
  .meta({ id: 'IncidentUpdate' });

export const incident = z
  .object({
    id: id('inc', 'incident'),
    managedBy: z.string().nullable(),
    title,
    status,
    monitorIds,
    maintenance: z.boolean(),
    scheduledStart: timestamp.nullable(),
    scheduledEnd: timestamp.nullable(),
    startedAt: timestamp,
    resolvedAt: timestamp.nullable(),
    updates: z
      .array(incidentUpdate)
      .describe(`Timeline, in order of creation. PATCH returns only the latest ${updatesAnsweredToPatch} entries.`),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Incident' });

export const incidentEndpoints = endpoints({
  listIncidents: {
    method: 'GET',
    path: '/incidents',
    access: 'project',
    status: 200,
    summary: 'List incidents and maintenance windows.',
    query: z.strictObject(paging),
    response: z.array(incident),
  },
  getIncident: {
    method: 'GET',
    path: '/incidents/:incidentId',
    access: 'project',
    status: 200,
    summary: 'Read an incident with its updates.',
    response: incident,
  },
  createIncident: {
    method: 'POST',
    path: '/incidents',
    access: 'project',
    scope: 'apply',
    status: 201,
    creates: true,
    summary: 'Open an incident, or schedule a maintenance window.',
    body: incidentInput,
    response: incident,
    errors: ['plan_limit_exceeded'],
  },
  updateIncident: {
    method: 'PATCH',
    path: '/incidents/:incidentId',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: `Change an incident, or add to its timeline, which holds at most ${maxIncidentUpdates} entries.`,
    body: incidentPatch,
    response: incident,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteIncident: {
    method: 'DELETE',
    path: '/incidents/:incidentId',
    access: 'project',
    scope: 'apply',
    status: 204,
    summary: 'Delete an incident.',
    response: null,
  },
});
