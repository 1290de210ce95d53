import { createHash } from 'node:crypto';
import { dayMs } from '../core/uptime.ts';
import { type Html, html } from './html.ts';
import { icon, tabIcon } from './icons.ts';
import { banner, incidentEntry, time } from './incident-entry.ts';
import { script } from './script.ts';
import { createServiceRenderer } from './service.ts';
import { style } from './style.ts';
import type { IncidentView, MonitorView, PageLinks, PageView } from './view.ts';
import { dayName } from './words.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only this style and this script run, and nothing is loaded from anywhere but here. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// As they are, to the byte: the policy names their digests.
const styleElement: Html = { html: `<style>${style}</style>` };
const scriptElement: Html = { html: `<script>${script}</script>` };

/** The page is the same, to the byte, for so many milliseconds in which nothing happens. */
const sameFor = 10_000;

/**
 * The whole page in one answer: complete without JavaScript, which only refreshes it and tells the time as the reader
 * does. Every part has its place whether it is empty or not, so that a refresh moves nothing else.
 */
export function createPageRenderer(): (view: PageView, links: PageLinks) => string {
  const renderService = createServiceRenderer();

  return ({ name, overall, monitors, madeAt, current, open, planned, past }, links) =>
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${overall.sentence} ${name}</title>
          <link rel="icon" href="${tabIcon(overall.state)}" />
          <link rel="alternate" type="application/atom+xml" href="${links.feed}" title="Incidents" />
          ${styleElement}
        </head>
        <body>
          <main>
            <h1><bdi>${name}</bdi></h1>
            <div class="overall ${overall.state}" role="status">
              ${icon(overall.state)}
              <div>
                <p>${overall.sentence}</p>
                ${downNames(monitors)}
              </div>
            </div>
            <p class="stale" role="alert"></p>
            <div>${current.map(banner)}</div>
            <div>${open.length === 0 ? null : section('Open incidents', open.map(incidentEntry))}</div>
            <section>
              <h2>Services</h2>
              ${
                monitors.length === 0
                  ? html`<p class="quiet">This page shows no services yet.</p>`
                  : html`<ul class="services">
                      ${monitors.map(renderService)}
                    </ul>`
              }
            </section>
            <div>${planned.length === 0 ? null : section('Planned maintenance', planned.map(incidentEntry))}</div>
            ${section('Past incidents', past.length === 0 ? [html`<p class="quiet">None in the last 14 days.</p>`] : byDay(past))}
            <footer>
              <p>
                As of <span class="made">${time(madeAt - (madeAt % sameFor))}</span>.
                <span class="zone">Times and days are in UTC.</span>
              </p>
              <p>
                <a href="${links.feed}">Feed</a> <a href="${links.json}">JSON</a> <a href="${links.badge}">Badge</a>
              </p>
            </footer>
          </main>
          ${scriptElement}
        </body>
      </html> `.html;
}

const section = (heading: string, entries: readonly Html[]): Html =>
  html`<section>
    <h2>${heading}</h2>
    ${entries}
  </section>`;

const namesTold = 5;

/** Which ones: a long page should not have to be searched for them. */
function downNames(monitors: readonly MonitorView[]): Html | null {
  const down = monitors.filter(({ state }) => state === 'down');
  if (down.length === 0 || monitors.length === 1) return null;
  const told = down.slice(0, namesTold).map(({ name }) => html`<li><bdi>${name}</bdi></li>`);
  const more = down.length - told.length;
  return html`<ul>
    ${told}${more > 0 ? html`<li>and ${more} more</li>` : null}
  </ul>`;
}

/** Under a heading for each day, in UTC, on which they began; maintenance that was called off before, on which it was. */
function byDay(incidents: readonly IncidentView[]): Html[] {
  const at = ({ startedAt, resolvedAt }: IncidentView) => Math.min(startedAt, resolvedAt ?? startedAt);
  const days = Map.groupBy(
    incidents.toSorted((a, b) => at(b) - at(a)),
    (incident) => Math.floor(at(incident) / dayMs),
  );
  return [...days].map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayName(day)}</h3>
        ${ofDay.map(incidentEntry)}`,
  );
}
