import { type Observed, uptimePercent } from '../core/uptime.ts';
import type { DayView } from './view.ts';
import { dayName, duration, percent } from './words.ts';

/** Returns a text for each day with downtime, such as `21 Nov 15 min down`. */
export const badDays = (days: readonly DayView[]): string[] =>
  days.filter(({ down }) => down > 0).map((day) => `${dayName(day.day)} ${duration(day.down)} down`);

const maxDaysNamed = 5;

/** Returns a description of all bars for screen readers. */
export function daysInShort(bad: readonly string[], uptime: number | null): string {
  if (uptime === null) return 'not observed';
  if (bad.length === 0) return `${percent(uptime)} up, no downtime observed`;
  const more = bad.length > maxDaysNamed ? `, and ${bad.length - maxDaysNamed} more` : '';
  return `${percent(uptime)} up, ${bad.slice(0, maxDaysNamed).join(', ')}${more}`;
}

/**
 * Returns the HTML of one bar for each day. Consecutive days with the same text share a label, because most pages have
 * hundreds of good days. The HTML contains no text from users, so nothing has to be escaped.
 */
export function dayBars(days: readonly DayView[]): string {
  let written = '';
  for (let index = 0; index < days.length;) {
    const [day, words] = [days[index]!, inWords(days[index]!)];
    let end = index + 1;
    while (end < days.length && inWords(days[end]!) === words) end++;
    const [first, last] = [dayName(day.day), dayName(days[end - 1]!.day)];
    const kind = kindOf(day);
    written += `<b${kind && ` class="${kind}"`} data-day="${first === last ? first : `${first} to ${last}`}: ${words}">${'<i></i>'.repeat(end - index)}</b>`;
    index = end;
  }
  return written;
}

/**
 * Returns the CSS class of a day's bar: `d1` to `d6` by the share of downtime, or an empty text for no downtime. `n`
 * stands for a day that was not observed, and `m` for a day with only maintenance. Each class has a fixed height in
 * style.ts, because a minute's share of a day would be too small to see.
 */
function kindOf(day: Observed): '' | 'n' | 'm' | `d${number}` {
  if (day.up + day.down === 0) return day.maintenance > 0 ? 'm' : 'n';
  if (day.down === 0) return '';
  const share = day.down / (day.up + day.down);
  const step = downSteps.findIndex((minShare) => share < minShare);
  return `d${step < 0 ? downSteps.length + 1 : step + 1}`;
}

const downSteps = [0.02, 0.1, 0.3, 0.6, 0.95];

function inWords(day: DayView): string {
  const uptime = uptimePercent(day);
  if (uptime === null && day.maintenance === 0) return 'not observed';
  const parts = [
    ...(uptime === null ? [] : [percent(uptime)]),
    ...(day.down > 0 ? [`${duration(day.down)} down`] : []),
    ...(day.maintenance > 0 ? [`${duration(day.maintenance)} maintenance`] : []),
  ];
  return parts.join(', ');
}
