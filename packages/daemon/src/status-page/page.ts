import { createHash } from 'node:crypto';
import { type Observed, uptimePercent } from '../core/uptime.ts';
import { type Html, html } from './html.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import type { DayView, IncidentView, MonitorView, PageLinks, PageView } from './view.ts';
import { dayName, duration, percent } from './words.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only this style and this script run, and nothing is loaded from anywhere but here. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  "connect-src 'self'",
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
 * does. Days that are over are written once and kept for as long as the view keeps their list.
 */
export function createPageRenderer(): (view: PageView, links: PageLinks) => string {
  const written = new WeakMap<readonly DayView[], PastDays>();
  const pastDays = (past: readonly DayView[]): PastDays => {
    const known = written.get(past);
    if (known) return known;
    const days = { bars: past.map(bar).join(''), bad: past.filter(({ down }) => down > 0).toReversed() };
    written.set(past, days);
    return days;
  };
  return (view, links) => renderPage(view, links, pastDays);
}

/** Days that are over: their bars, and those with downtime, the latest first. */
interface PastDays {
  bars: string;
  bad: DayView[];
}

function renderPage(view: PageView, links: PageLinks, pastDays: (past: readonly DayView[]) => PastDays): string {
  const { name, overall, monitors, madeAt } = view;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${name}: ${overall.sentence}</title>
        <link rel="alternate" type="application/atom+xml" href="${links.feed}" title="Incidents" />
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>${name}</h1>
          <p class="overall ${overall.state}" role="status">${overall.sentence}</p>
          ${view.current.map((incident) => banner(incident))}
          ${view.open.length === 0 ? null : section('Open incidents', view.open.map(incidentEntry))}
          <section aria-labelledby="services">
            <h2 id="services">Services</h2>
            ${
              monitors.length === 0
                ? html`<p>This page shows no services yet.</p>`
                : html`<ul class="services">
                    ${monitors.map((monitor) => service(monitor, pastDays(monitor.past)))}
                  </ul>`
            }
          </section>
          ${view.planned.length === 0 ? null : section('Planned maintenance', view.planned.map(incidentEntry))}
          ${section('Past incidents', view.past.length === 0 ? [html`<p>None in the last 14 days.</p>`] : byDay(view.past))}
          <footer>
            <p>Made ${time(madeAt - (madeAt % sameFor))}. <span class="zone">Times are in UTC.</span></p>
            <p><a href="${links.feed}">Feed</a> <a href="${links.json}">JSON</a> <a href="${links.badge}">Badge</a></p>
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

const stateNames: Record<MonitorView['state'], string> = {
  up: 'Up',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Not watched',
  unknown: 'Not observed',
};

function service({ name, state, uptime, past, today, responseTimes }: MonitorView, { bars, bad }: PastDays): Html {
  const days = past.length + 1;
  return html`<li>
    <h3>${name}</h3>
    <span class="state ${state}">${stateNames[state]}</span>
    ${strip(name, days, { bars: bars + bar(today), bad: today.down > 0 ? [today, ...bad] : bad })}
    <p class="ends">
      <span>${days} days ago</span><span>${uptime === null ? 'Not observed yet' : `${percent(uptime)} up`}</span
      ><span>Today</span>
    </p>
    ${responseTimes === null ? null : chart(responseTimes)}
  </li>`;
}

/** A bar a day. Read out, it is one picture with what was wrong in words; by keyboard, JavaScript steps from day to day. */
function strip(name: string, days: number, { bars, bad }: PastDays): Html {
  const told = bad.slice(0, 5).map((day) => `${dayName(day.day)} ${duration(day.down)} down`);
  const more = bad.length > told.length ? `, and ${bad.length - told.length} more` : '';
  const label = bad.length === 0 ? 'no downtime observed' : `${told.join(', ')}${more}`;
  return html`<div class="days" role="img" tabindex="0" aria-label="${name}, the last ${days} days: ${label}">
    ${{ html: bars }}
  </div>`;
}

// Nothing here is anybody's text: ninety a service are put together as they are, without a template.
const bar = (day: DayView): string => {
  const kind = kindOf(day);
  return `<i${kind && ` class="${kind}"`} title="${inWords(day)}"></i>`;
};

function kindOf(day: Observed): '' | 'n' | 'm' | 'p' | 'd' {
  if (day.up + day.down === 0) return day.maintenance > 0 ? 'm' : 'n';
  if (day.down === 0) return '';
  return (uptimePercent(day) ?? 0) >= 99 ? 'p' : 'd';
}

function inWords(day: DayView): string {
  const uptime = uptimePercent(day);
  const said = [
    uptime === null ? 'not observed' : percent(uptime),
    ...(day.down > 0 ? [`${duration(day.down)} down`] : []),
    ...(day.maintenance > 0 ? [`${duration(day.maintenance)} maintenance`] : []),
  ];
  return `${dayName(day.day)}: ${(uptime === null && day.maintenance > 0 ? said.slice(1) : said).join(', ')}`;
}

const chartWidth = 240;
const chartHeight = 32;

/** Average response times of the last 24 hours; a gap where nothing was observed. */
function chart(hours: readonly (number | null)[]): Html {
  const known = hours.filter((value) => value !== null);
  if (known.length === 0) return html`<p class="quiet">No response times in the last 24 hours.</p>`;
  const highest = Math.max(...known);
  const step = chartWidth / (hours.length - 1);
  let path = '';
  hours.forEach((value, index) => {
    if (value === null) return;
    const [x, y] = [Math.round(index * step), Math.round((1 - value / (highest || 1)) * (chartHeight - 4) + 2)];
    const begins = index === 0 || hours[index - 1] === null;
    // A single hour is drawn as a dot: a line of no length with a round end.
    path += begins ? `M${x} ${y}h0` : `L${x} ${y}`;
  });
  const average = Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  const label = `Response time in the last 24 hours: ${average} ms on average, ${Math.round(highest)} ms at the most`;
  return html`<figure>
    <svg viewBox="0 0 ${chartWidth} ${chartHeight}" preserveAspectRatio="none" role="img" aria-label="${label}">
      <path d="${path}" />
    </svg>
    <figcaption>${average} ms on average, ${Math.round(highest)} ms at the most in the last 24 hours</figcaption>
  </figure>`;
}

const banner = (incident: IncidentView): Html =>
  html`<aside class="banner" aria-label="Maintenance">
    <h2>${incident.title}</h2>
    <p>Maintenance until ${time(incident.scheduledEnd ?? incident.startedAt)}${concerned(incident)}</p>
    ${timeline(incident)}
  </aside>`;

function incidentEntry(incident: IncidentView): Html {
  const { title, status, maintenance, startedAt, scheduledEnd, resolvedAt } = incident;
  const when =
    maintenance && scheduledEnd !== null
      ? html`${time(startedAt)} to ${time(scheduledEnd)}`
      : html`Since ${time(startedAt)}`;
  return html`<article>
    <h3>${title}</h3>
    <span class="status">${maintenance ? 'maintenance' : status}</span>
    <p>
      ${resolvedAt === null || maintenance ? when : html`${time(startedAt)}, resolved after ${duration(resolvedAt - startedAt)}`}${concerned(incident)}
    </p>
    ${timeline(incident)}
  </article>`;
}

const concerned = ({ monitors }: IncidentView): Html | null =>
  monitors.length === 0 ? null : html`. Concerns ${monitors.join(', ')}.`;

const timeline = ({ updates }: IncidentView): Html | null =>
  updates.length === 0
    ? null
    : html`<ol class="timeline">
        ${updates.toReversed().map(({ status, message, at }) => html`<li><b>${status}</b> ${time(at)}${message === '' ? null : html`<br />${message}`}</li>`)}
      </ol>`;

/** Under a heading for each day, in UTC, on which they began. */
function byDay(incidents: readonly IncidentView[]): Html[] {
  const days = Map.groupBy(incidents, ({ startedAt }) => Math.floor(startedAt / 86_400_000));
  return [...days].map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayName(day)}</h3>
        ${ofDay.map(incidentEntry)}`,
  );
}

/** In UTC; JavaScript says it in the reader's own zone. */
const time = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
};
