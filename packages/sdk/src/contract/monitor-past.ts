import * as z from 'zod';
import { checkError, timings } from './check-results.ts';
import { endpoints } from './endpoint.ts';
import { range, timestamp } from './fields.ts';
import { monitorEvent } from './monitors.ts';
import { regionName } from './monitor-types/common-fields.ts';
import { monitorStatuses } from './monitor-types/read-only-fields.ts';

const uptime = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .describe('Percentage from 0 to 100; null if nothing was observed.');
const milliseconds = z.number().nullable().describe('Milliseconds.');

export const stats = z
  .object({
    status: z.enum(monitorStatuses),
    uptime24h: uptime,
    uptime7d: uptime,
    uptime30d: uptime,
    avgResponseTime: milliseconds.describe('Average of the passed checks of the last 24 h, in milliseconds.'),
    p95ResponseTime: milliseconds.describe(
      '95th percentile of the passed checks of the last 24 h, in milliseconds, accurate to 5 %.',
    ),
    lastCheckedAt: timestamp.nullable(),
  })
  .meta({ id: 'Stats' });

export const dailyUptime = z
  .object({
    date: z.string().describe('UTC date, YYYY-MM-DD.'),
    uptime,
    maintenanceSeconds: z.number().describe('Seconds in maintenance. They do not lower uptime.'),
  })
  .meta({ id: 'DailyUptime' });

export const responseTime = z
  .object({
    timestamp,
    responseTime: milliseconds,
    region: z.string(),
    status: z.enum(['up', 'down']),
    statusCode: z.int().nullable(),
    error: checkError.nullable(),
    timings: timings.nullable().describe('A passed check loses its timings after a day. A failed check keeps them.'),
  })
  .meta({ id: 'ResponseTime' });

/** The metrics of a ping: a flat object of names to numbers or strings. */
export const metrics = z.record(z.string(), z.union([z.number(), z.string()])).meta({ id: 'Metrics' });

export const heartbeatMetrics = z
  .object({
    timestamp,
    metrics,
    duration: z
      .number()
      .nullable()
      .describe('Milliseconds from the start of the run to this ping, if a start was sent.'),
    status: z.enum(['success', 'failure']),
    exitCode: z.int().nullable(),
  })
  .meta({ id: 'HeartbeatMetrics' });

const past = { method: 'GET', access: 'project', status: 200 } as const;

export const monitorPastEndpoints = endpoints({
  getStats: {
    ...past,
    path: '/monitors/:monitorId/stats',
    summary: 'Read uptime and response times over the last 24 h, 7 d and 30 d.',
    response: stats,
  },
  getDailyUptime: {
    ...past,
    path: '/monitors/:monitorId/daily-uptime',
    summary: 'Read the uptime of each day.',
    query: range(90),
    response: z.array(dailyUptime),
  },
  getResponseTimes: {
    ...past,
    path: '/monitors/:monitorId/response-times',
    summary: 'Read the response time of each check, or hourly averages where the single results have expired.',
    query: range(7).extend({ region: regionName.optional().describe('Only checks from this region.') }),
    response: z.array(responseTime),
  },
  getHeartbeatMetrics: {
    ...past,
    path: '/monitors/:monitorId/heartbeat-metrics',
    summary: 'Read the metrics sent with pings, and the duration of runs.',
    query: range(7),
    response: z.array(heartbeatMetrics),
  },
  getMonitorEvents: {
    ...past,
    path: '/monitors/:monitorId/events',
    summary: 'List changes of status, oldest first.',
    query: range(30),
    response: z.array(monitorEvent),
  },
});
