import { documentParts } from './document.ts';
import { type Html, html } from './html.ts';
import { tabIcon } from './icons.ts';
import { incidentEntry } from './incident-entry.ts';
import type { HistoryView, PageLinks } from './view.ts';
import { monthName } from './words.ts';

/** Returns the HTML page with the incidents of a month. */
export function writeHistory(view: HistoryView, links: PageLinks): Generator<Html> {
  const { month, incidents, older, newer, madeAt } = view;
  const address = (of: string) => `${links.base}/history/${of}`;
  const main = html`<p class="stale" role="alert"></p>
    <section>
      <h2>Incidents of ${monthName(month)}</h2>
      ${incidents.length === 0 ? html`<p class="quiet">No incidents in this month.</p>` : null}
      ${incidents.map((incident) => incidentEntry(incident, { base: links.base, madeAt }))}
    </section>
    <nav aria-label="Other months">
      ${newer === null ? null : html`<a rel="next" href="${address(newer)}">${monthName(newer)}</a>`}
      ${
        older === null
          ? html`<span class="quiet">Nothing older.</span>`
          : html`<a rel="prev" href="${address(older.month)}${older.after === null ? null : `?after=${older.after}`}"
              >${older.after === null ? monthName(older.month) : `More of ${monthName(older.month)}`}</a
            >`
      }
    </nav>`;
  return documentParts({
    masthead: view,
    title: `Incidents of ${monthName(month)}. ${view.name}`,
    tabIcon: tabIcon(null),
    madeAt,
    links,
    isMain: false,
    parts: [main],
  });
}
