import { documentParts } from './document.ts';
import { type Html, html } from './html.ts';
import { tabIcon } from './icons.ts';
import { incidentEntry, permalink } from './incident-entry.ts';
import type { IncidentPageView, PageLinks } from './view.ts';

/** Returns the HTML page of one incident, with one part of its timeline. */
export function writeIncident(view: IncidentPageView, links: PageLinks): Generator<Html> {
  const { incident, madeAt, part, lastPart } = view;
  const address = (number: number) => `${permalink(incident, links.base)}${number === 1 ? '' : `?part=${number}`}`;
  const main = html`<p class="stale" role="alert"></p>
    ${incidentEntry(incident, { base: null, madeAt })}
    ${
      part === 1 && lastPart
        ? null
        : html`<nav aria-label="Other updates">
            ${part === 1 ? null : html`<a rel="prev" href="${address(part - 1)}">Later updates</a>`}
            ${lastPart ? null : html`<a rel="next" href="${address(part + 1)}">Earlier updates</a>`}
          </nav>`
    }`;
  return documentParts({
    masthead: view,
    title: `${incident.title}. ${view.name}`,
    tabIcon: tabIcon(incident.resolvedAt === null ? (incident.maintenance ? 'maintenance' : 'incident') : 'up'),
    madeAt,
    links,
    isMain: false,
    parts: [main],
  });
}
