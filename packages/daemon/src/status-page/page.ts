import { documentParts } from './document.ts';
import { roundedTime } from './rounded-time.ts';
import { dayMs } from '../core/uptime.ts';
import { type Html, html } from './html.ts';
import { icon, tabIcon } from './icons.ts';
import { banner, incidentEntry, since } from './incident-entry.ts';
import { createMonitorListRenderer } from './monitor-list.ts';
import type { IncidentView, MonitorView, PageLinks, PageView } from './view.ts';
import { dayName } from './words.ts';

/** Writes a page in pieces. */
export type WritePage = (view: PageView, links: PageLinks) => Generator<Html>;

/**
 * Returns a function that writes the whole page. The page is complete without JavaScript: see script.ts. Even an empty
 * part has an element, because a refresh compares elements by their position.
 */
export function createPageWriter(): WritePage {
  const renderMonitorList = createMonitorListRenderer();

  return (view, links) => {
    const { overall, name, madeAt } = view;
    return documentParts({
      masthead: view,
      title: `${overall.sentence} ${name}`,
      tabIcon: tabIcon(overall.state),
      madeAt,
      links,
      isMain: true,
      parts: parts(view, links),
    });
  };

  function* parts(view: PageView, links: PageLinks): Generator<Html> {
    const { overall, monitors, madeAt, current, open, planned, past, more } = view;
    const entry = (incident: IncidentView) => incidentEntry(incident, { base: links.base, madeAt });
    const others = (list: 'open' | 'current' | 'planned' | 'past') =>
      more[list] ? html`<p class="more"><a href="${links.base}/history">All incidents and maintenance</a></p>` : null;
    yield html`<div class="overall ${overall.state}" role="status">
        ${icon(overall.state)}
        <div>
          <p>${overall.sentence}</p>
          ${downNames(monitors, roundedTime(madeAt))}
        </div>
      </div>
      <p class="stale" role="alert"></p>
      <div>${current.map((one) => banner(one, links.base))}${others('current')}</div>
      <div>${open.length === 0 ? null : section('Open incidents', [...open.map(entry), others('open')])}</div> `;
    // The section's tags are plain strings. In a template, the code formatter would close the section at once.
    yield { html: '<section><h2>Services</h2>' };
    yield* renderMonitorList(view);
    yield { html: '</section>' };
    yield html`<div>
        ${planned.length === 0 ? null : section('Scheduled maintenance', [...planned.map(entry), others('planned')])}
      </div>
      ${section('Past incidents', [
        ...(past.length === 0 ? [html`<p class="quiet">None in the last 14 days.</p>`] : byDay(past, entry)),
        html`<p class="more"><a href="${links.base}/history">Incident history</a></p>`,
      ])}`;
  }
}

const section = (heading: string, entries: readonly (Html | null)[]): Html =>
  html`<section>
    <h2>${heading}</h2>
    ${entries}
  </section>`;

const maxNames = 5;

/** Names the services that are down, and since when, so that readers need not search a long page. */
function downNames(monitors: readonly MonitorView[], now: number): Html | null {
  const down = monitors.filter(({ state }) => state === 'down');
  const names = down
    .slice(0, maxNames)
    .map(
      ({ name, downSince }) =>
        html`<li><bdi>${name}</bdi>${downSince === null ? null : html` <span>${since(downSince, now)}</span>`}</li>`,
    );
  const others = down.length - names.length;
  if (down.length === 0) return null;
  return html`<ul>
    ${names}${others > 0 ? html`<li>and ${others} more</li>` : null}
  </ul>`;
}

/**
 * Groups incidents under a heading for the UTC day on which they began. Maintenance that was called off before its
 * start is under the day on which it was called off.
 */
function byDay(incidents: readonly IncidentView[], entry: (incident: IncidentView) => Html): Html[] {
  const at = ({ startedAt, resolvedAt }: IncidentView) => Math.min(startedAt, resolvedAt ?? startedAt);
  const days = Map.groupBy(
    incidents.toSorted((a, b) => at(b) - at(a)),
    (incident) => Math.floor(at(incident) / dayMs),
  );
  return [...days].map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayName(day)}</h3>
        ${ofDay.map(entry)}`,
  );
}
