import { badDays, dayBars, daysInShort } from './day-bars.ts';
import { type Html, html } from './html.ts';
import { since } from './incident-entry.ts';
import { responseChart } from './response-chart.ts';
import type { DayView, MonitorView } from './view.ts';
import { dayName, percent } from './words.ts';

const stateNames: Record<MonitorView['state'], string> = {
  up: 'Up',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Not watched',
  unknown: 'Not observed',
};

/** The texts for past days: the first day's name, the bars as HTML, and the days with downtime, latest first. */
interface PastDays {
  first: string;
  bars: string;
  bad: readonly string[];
}

export interface Manner {
  /** Whether the service takes a single row, without a chart. */
  compact: boolean;
  /** Level of the heading with the service's name: 4 below the heading of a group, and otherwise 3. */
  level: 3 | 4;
  now: number;
}

/** Returns a function that renders a service. The function renders past days only once for each list `past`. */
export function createMonitorRowRenderer(): (monitor: MonitorView, manner: Manner) => Html {
  const written = new WeakMap<readonly DayView[], PastDays>();
  const pastDays = (past: readonly DayView[]): PastDays => {
    const known = written.get(past);
    if (known) return known;
    const days = { first: past[0] ? dayName(past[0].day) : '', bars: dayBars(past), bad: badDays(past.toReversed()) };
    written.set(past, days);
    return days;
  };

  return ({ name, state, downSince, uptime, past, today, responseTimes, regionTimes }, { compact, level, now }) => {
    const over = pastDays(past);
    const days = html`<div
      class="days"
      role="img"
      tabindex="0"
      aria-label="${name}, the last ${past.length + 1} days: ${daysInShort([...badDays([today]), ...over.bad], uptime)}"
    >
      ${{ html: over.bars + dayBars([today]) }}
    </div>`;
    return html`<li class="${state}">
      ${level === 3 ? html`<h3 class="name" dir="auto">${name}</h3>` : html`<h4 class="name" dir="auto">${name}</h4>`}
      <span class="uptime">${uptime === null ? null : percent(uptime)}</span>
      <span class="state">${stateNames[state]}</span>
      ${downSince === null ? null : html`<p class="since">Down ${since(downSince, now)}</p>`} ${days}
      ${
        compact
          ? null
          : html`<p class="ends"><span>${over.first}</span><span>Today</span></p>
              ${responseTimes === null ? null : responseChart(responseTimes, regionTimes)}`
      }
    </li>`;
  };
}
