import { type Observed, uptimePercent } from '../core/uptime.ts';
import { type Html, html } from './html.ts';
import { since } from './incident-entry.ts';
import type { DayView, MonitorView } from './view.ts';
import { dayName, duration, percent } from './words.ts';

const stateNames: Record<MonitorView['state'], string> = {
  up: 'Up',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Not watched',
  unknown: 'Not observed',
};

/** Past days in written form: the first day's name, the bars, and the days with downtime, latest first. */
interface PastDays {
  first: string;
  bars: string;
  bad: readonly string[];
}

export interface Manner {
  /** In one row, without a chart. */
  compact: boolean;
  /** Level of its heading. */
  level: 3 | 4;
  now: number;
}

/** One service of the page. Past days are written once, and cached for as long as the view keeps their list. */
export function createServiceRenderer(): (monitor: MonitorView, manner: Manner) => Html {
  const written = new WeakMap<readonly DayView[], PastDays>();
  const pastDays = (past: readonly DayView[]): PastDays => {
    const known = written.get(past);
    if (known) return known;
    const days = { first: past[0] ? dayName(past[0].day) : '', bars: bars(past), bad: badDays(past.toReversed()) };
    written.set(past, days);
    return days;
  };

  return ({ name, state, downSince, uptime, past, today, responseTimes }, { compact, level, now }) => {
    const over = pastDays(past);
    const days = html`<div
      class="days"
      role="img"
      tabindex="0"
      aria-label="${name}, the last ${past.length + 1} days: ${inShort([...badDays([today]), ...over.bad], uptime)}"
    >
      ${{ html: over.bars + bars([today]) }}
    </div>`;
    return html`<li class="${state}">
      ${level === 3 ? html`<h3 class="name" dir="auto">${name}</h3>` : html`<h4 class="name" dir="auto">${name}</h4>`}
      <span class="uptime">${uptime === null ? 'Not observed yet' : percent(uptime)}</span>
      <span class="state">${stateNames[state]}</span>
      ${downSince === null ? null : html`<p class="since">Down ${since(downSince, now)}</p>`} ${days}
      ${
        compact
          ? null
          : html`<p class="ends"><span>${over.first}</span><span>Today</span></p>
              ${responseTimes === null ? null : chart(responseTimes)}`
      }
    </li>`;
  };
}

const badDays = (days: readonly DayView[]): string[] =>
  days.filter(({ down }) => down > 0).map((day) => `${dayName(day.day)} ${duration(day.down)} down`);

const daysTold = 5;

/** Describes the strip for screen readers. */
function inShort(bad: readonly string[], uptime: number | null): string {
  if (uptime === null) return 'not observed';
  if (bad.length === 0) return `${percent(uptime)} up, no downtime observed`;
  const more = bad.length > daysTold ? `, and ${bad.length - daysTold} more` : '';
  return `${percent(uptime)} up, ${bad.slice(0, daysTold).join(', ')}${more}`;
}

/**
 * One bar for each day. Consecutive days with the same status share a label, because most pages have hundreds of good
 * days. None of this is user text, so it needs no escaping template.
 */
function bars(days: readonly DayView[]): string {
  let written = '';
  for (let index = 0; index < days.length;) {
    const [day, said] = [days[index]!, inWords(days[index]!)];
    let end = index + 1;
    while (end < days.length && inWords(days[end]!) === said) end++;
    const [first, last] = [dayName(day.day), dayName(days[end - 1]!.day)];
    const kind = kindOf(day);
    written += `<b${kind && ` class="${kind}"`} data-day="${first === last ? first : `${first} to ${last}`}: ${said}">${'<i></i>'.repeat(end - index)}</b>`;
    index = end;
  }
  return written;
}

/**
 * The bar's class: not observed, only maintenance, no downtime, or six steps of downtime. The first steps are narrow,
 * because a minute's share would be too small to see.
 */
function kindOf(day: Observed): '' | 'n' | 'm' | `d${number}` {
  if (day.up + day.down === 0) return day.maintenance > 0 ? 'm' : 'n';
  if (day.down === 0) return '';
  const share = day.down / (day.up + day.down);
  const step = downSteps.findIndex((least) => share < least);
  return `d${step < 0 ? downSteps.length + 1 : step + 1}`;
}

const downSteps = [0.02, 0.1, 0.3, 0.6, 0.95];

function inWords(day: DayView): string {
  const uptime = uptimePercent(day);
  if (uptime === null && day.maintenance === 0) return 'not observed';
  const said = [
    ...(uptime === null ? [] : [percent(uptime)]),
    ...(day.down > 0 ? [`${duration(day.down)} down`] : []),
    ...(day.maintenance > 0 ? [`${duration(day.maintenance)} maintenance`] : []),
  ];
  return said.join(', ');
}

const chartWidth = 240;
const chartHeight = 32;

/** Average response times of the last 24 hours, with gaps for unobserved time. A line needs two hours in a row. */
function chart(hours: readonly (number | null)[]): Html {
  const known = hours.filter((value) => value !== null);
  if (known.length === 0) return html`<p class="quiet">No response times in the last 24 hours</p>`;
  const highest = Math.max(...known);
  const average = Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  const caption = html`Last 24 h: ${average} ms on average, ${Math.round(highest)} ms at most`;
  const path = lineOf(hours, highest);
  if (!path.includes('L')) return html`<p class="quiet">${caption}</p>`;
  return html`<figure>
    <svg viewBox="0 0 ${chartWidth} ${chartHeight}" preserveAspectRatio="none" aria-hidden="true">
      <path d="${path}" />
    </svg>
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** The line as an SVG path. An hour between two gaps is left out. */
function lineOf(hours: readonly (number | null)[], highest: number): string {
  const step = chartWidth / (hours.length - 1);
  let path = '';
  hours.forEach((value, index) => {
    const [before = null, after = null] = [hours[index - 1], hours[index + 1]];
    if (value === null || (before === null && after === null)) return;
    const [x, y] = [Math.round(index * step), Math.round((1 - value / (highest || 1)) * (chartHeight - 4) + 2)];
    path += `${before === null ? 'M' : 'L'}${x} ${y}`;
  });
  return path;
}
