import type { Handlers } from '../handler.ts';
import { getDailyUptime } from './daily-uptime.ts';
import { getMonitorEvents } from './events.ts';
import { getHeartbeatMetrics } from './heartbeat-metrics.ts';
import { getResponseTimes } from './response-times.ts';
import { getStats } from './stats.ts';

/** The handlers that read a monitor's past. */
export const monitorPastHandlers = {
  getStats,
  getDailyUptime,
  getResponseTimes,
  getHeartbeatMetrics,
  getMonitorEvents,
} satisfies Handlers;
