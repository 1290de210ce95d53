import type { PageIncident, PageMonitor, PublicPage } from '@uptime/sdk/contract';
import { dayMs, uptimePercent } from '../core/uptime.ts';
import { permalink } from './incident-entry.ts';
import { roundedTime } from './rounded-time.ts';
import type { DayView, IncidentView, MonitorView, PageLinks, PageView } from './view.ts';
import { phaseOf } from './words.ts';

const iso = (at: number) => new Date(at).toISOString();

/** Maximum number of monitors in one answer. `next` links to the answer with the following monitors. */
const maxMonitorsInJson = 200;
/** Number of monitors in one piece of the JSON. */
const slice = 20;

/** Returns the page as JSON in pieces, with up to `maxMonitorsInJson` monitors from index `from` on. */
export function* jsonParts(view: PageView, links: PageLinks, from: number): Generator<string> {
  const { name, description, homeUrl, overall, monitors, open, current, planned, past, more, madeAt } = view;
  const until = from + maxMonitorsInJson;
  const head = {
    name,
    description,
    homeUrl,
    url: links.self,
    status: overall.state,
    summary: overall.sentence,
    madeAt: iso(roundedTime(madeAt)),
    next: monitors.length > until ? `${links.json}?from=${until}` : null,
  } satisfies Partial<PublicPage>;
  yield `${JSON.stringify(head).slice(0, -1)},"monitors":[`;
  const shown = monitors.slice(from, until);
  for (let at = 0; at < shown.length; at += slice)
    yield `${at === 0 ? '' : ','}${shown
      .slice(at, at + slice)
      .map((one) => JSON.stringify(monitor(one)))
      .join(',')}`;
  const incidentJson = (one: IncidentView) => incident(one, links, madeAt);
  const tail = {
    incidents: [...open, ...past].filter(({ maintenance }) => !maintenance).map(incidentJson),
    maintenance: [...current, ...planned].map(incidentJson),
    history: `${links.base}/history`,
    more: more.open || more.current || more.planned || more.past,
  } satisfies Omit<PublicPage, keyof typeof head | 'monitors'>;
  yield `],${JSON.stringify(tail).slice(1)}`;
}

const monitor = ({ name, state, downSince, group, uptime, past, today }: MonitorView): PageMonitor => ({
  name,
  group,
  status: state,
  downSince: downSince === null ? null : iso(downSince),
  uptime90d: uptime,
  days: [...past, today].map(day),
});

const day = (one: DayView): PageMonitor['days'][number] => ({
  date: iso(one.day * dayMs).slice(0, 10),
  uptime: uptimePercent(one),
  downSeconds: Math.round(one.down / 1000),
  maintenanceSeconds: Math.round(one.maintenance / 1000),
});

function incident(one: IncidentView, links: PageLinks, madeAt: number): PageIncident {
  const { title, status, startedAt, scheduledEnd, resolvedAt, monitors, moreMonitors, updates, whole } = one;
  return {
    title,
    url: permalink(one, links.base),
    status,
    phase: phaseOf(one, madeAt),
    startedAt: iso(startedAt),
    ...(scheduledEnd !== null && { scheduledEnd: iso(scheduledEnd) }),
    resolvedAt: resolvedAt === null ? null : iso(resolvedAt),
    monitors,
    moreMonitors,
    updates: updates.map(({ status: then, message, at }) => ({ status: then, message, createdAt: iso(at) })),
    whole,
  };
}
