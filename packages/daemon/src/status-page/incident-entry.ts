import { type Html, html } from './html.ts';
import type { IncidentView } from './view.ts';
import { duration, span, statusName, statusNameAt } from './words.ts';

/** Returns the banner at the top of a page, for maintenance that is in progress. */
export const banner = (incident: IncidentView, base: string): Html =>
  html`<section class="banner" id="${anchorOf(incident)}">
    <div class="head">
      <h2>${titleOf(incident, base)}</h2>
      <span class="status">In progress</span>
    </div>
    <p>${time(incident.startedAt)} to ${time(incident.scheduledEnd ?? incident.startedAt)}.${affected(incident)}</p>
    ${timeline(incident)}${rest(incident, base)}
  </section>`;

export interface Setting {
  /** Prefix of the addresses of the page's parts. Null on the incident's own page, which does not link to itself. */
  base: string | null;
  madeAt: number;
}

/** Returns the entry of an incident, or of planned or past maintenance. */
export function incidentEntry(incident: IncidentView, { base, madeAt }: Setting): Html {
  const { startedAt, scheduledEnd, resolvedAt, maintenance } = incident;
  return html`<article id="${anchorOf(incident)}" ${resolvedAt === null ? null : { html: ' class="over"' }}>
    <div class="head">
      ${base === null ? html`<h2>${titleOf(incident, base)}</h2>` : html`<h3>${titleOf(incident, base)}</h3>`}
      <span class="status${maintenance ? ' planned' : ''}">${statusName(incident, madeAt)}</span>
    </div>
    <p>${when()}${affected(incident)}</p>
    ${timeline(incident)}${base === null ? null : rest(incident, base)}
  </article>`;

  function when(): Html {
    const end = resolvedAt ?? scheduledEnd;
    if (maintenance && resolvedAt !== null && resolvedAt <= startedAt)
      return html`Called off ${time(resolvedAt)}; it was planned for ${time(startedAt)}.`;
    if (maintenance && end !== null) return html`${time(startedAt)} to ${time(end)}.`;
    if (resolvedAt === null) return html`Since ${time(startedAt)}.`;
    return html`${time(startedAt)}, resolved after ${duration(resolvedAt - startedAt)}.`;
  }
}

/** Returns the HTML id of the incident's entry, to which links lead. */
export const anchorOf = ({ publicId }: Pick<IncidentView, 'publicId'>): string => `incident-${publicId}`;

/** Returns the address of an incident's own page. */
export const permalink = ({ publicId }: Pick<IncidentView, 'publicId'>, base: string): string =>
  `${base}/incidents/${publicId}`;

const titleOf = (incident: IncidentView, base: string | null): Html =>
  base === null
    ? html`<bdi>${incident.title}</bdi>`
    : html`<a href="${permalink(incident, base)}"><bdi>${incident.title}</bdi></a>`;

const rest = (incident: IncidentView, base: string): Html | null =>
  incident.whole ? null : html`<p class="more"><a href="${permalink(incident, base)}">All updates</a></p>`;

function affected({ monitors, moreMonitors }: IncidentView): Html | null {
  if (monitors.length === 0) return null;
  const names = monitors.map((name, index) => html`${index > 0 ? ', ' : null}<bdi>${name}</bdi>`);
  return html` Affects ${names}${moreMonitors > 0 ? ` and ${moreMonitors} more` : null}.`;
}

const timeline = (incident: IncidentView): Html | null =>
  incident.updates.length === 0
    ? null
    : html`<ol class="timeline">
        ${incident.updates.toReversed().map(
          ({ status, message, at }) =>
            html`<li>
              <b>${statusNameAt(incident, status, at)}</b>
              ${time(at)}${message === '' ? null : html`<p dir="auto">${message}</p>`}
            </li>`,
        )}
      </ol>`;

/** Returns a text such as `since 2026-11-21 12:19 UTC (15 min)`. */
export const since = (at: number, now: number): Html => html`since ${time(at)} (${span(now - at)})`;

/** Returns a time in UTC. The page's script converts it to the reader's time zone. */
export const time = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};
