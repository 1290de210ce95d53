import { dayMs, uptimePercent } from '../core/uptime.ts';
import type { IncidentView, PageView } from './view.ts';

const iso = (at: number) => new Date(at).toISOString();

/** What the page says, for programs. */
export function renderJson({
  name,
  overall,
  monitors,
  open,
  current,
  planned,
  past: resolved,
  madeAt,
}: PageView): string {
  return JSON.stringify({
    name,
    status: overall.state,
    summary: overall.sentence,
    madeAt: iso(madeAt),
    monitors: monitors.map(({ name: monitor, state, uptime, past, today }) => ({
      name: monitor,
      status: state,
      uptime90d: uptime,
      days: [...past, today].map((day) => ({
        date: iso(day.day * dayMs).slice(0, 10),
        uptime: uptimePercent(day),
        downSeconds: Math.round(day.down / 1000),
        maintenanceSeconds: Math.round(day.maintenance / 1000),
      })),
    })),
    incidents: [...open, ...resolved].filter(({ maintenance }) => !maintenance).map(incident),
    maintenance: [...current, ...planned].map(incident),
  });
}

const incident = ({ title, status, startedAt, scheduledEnd, resolvedAt, monitors, updates }: IncidentView) => ({
  title,
  status,
  startedAt: iso(startedAt),
  ...(scheduledEnd !== null && { scheduledEnd: iso(scheduledEnd) }),
  resolvedAt: resolvedAt === null ? null : iso(resolvedAt),
  monitors,
  updates: updates.map(({ status: then, message, at }) => ({ status: then, message, createdAt: iso(at) })),
});
