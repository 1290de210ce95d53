import * as z from 'zod';
import { checkError, checkResult } from './check-results.ts';
import { endpoints } from './endpoint.ts';
import { filters, paging, timestamp } from './fields.ts';
import { monitorInput, monitorPatch } from './monitor-fields.ts';
import type { MonitorType } from './monitor-types/index.ts';
import { monitorReads } from './monitor-types/monitor-reads.ts';
import { monitorStatuses } from './monitor-types/read-only-fields.ts';

type Reads = typeof monitorReads;

export const monitor = z
  .discriminatedUnion('type', Object.values(monitorReads) as [Reads[MonitorType], ...Reads[MonitorType][]])
  .meta({ id: 'Monitor' });

export const monitorEvent = z
  .object({
    timestamp,
    from: z.enum(monitorStatuses),
    to: z.enum(monitorStatuses),
    error: checkError.nullable().describe('Why the monitor went down.'),
  })
  .meta({ id: 'MonitorEvent' });

export const monitorEndpoints = endpoints({
  listMonitors: {
    method: 'GET',
    path: '/monitors',
    access: 'project',
    scope: 'ping',
    status: 200,
    summary: 'List the monitors of the project, oldest first.',
    query: z.strictObject({ ...paging, ...filters }),
    response: z.array(monitor),
  },
  getMonitor: {
    method: 'GET',
    path: '/monitors/:monitorId',
    access: 'project',
    scope: 'ping',
    status: 200,
    summary: 'Read a monitor.',
    response: monitor,
  },
  createMonitor: {
    method: 'POST',
    path: '/monitors',
    access: 'project',
    scope: 'apply',
    status: 201,
    creates: true,
    summary: 'Create a monitor; it is checked within two seconds.',
    body: monitorInput,
    response: monitor,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  updateMonitor: {
    method: 'PATCH',
    path: '/monitors/:monitorId',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Change any subset of the fields of a monitor.',
    body: monitorPatch,
    response: monitor,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteMonitor: {
    method: 'DELETE',
    path: '/monitors/:monitorId',
    access: 'project',
    scope: 'apply',
    status: 204,
    summary: 'Delete a monitor and its history.',
    response: null,
  },
  checkMonitor: {
    method: 'POST',
    path: '/monitors/:monitorId/check',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Run one check now and return its result.',
    response: checkResult,
    errors: ['conflict', 'rate_limited'],
    maxPerMinute: 60,
  },
});
