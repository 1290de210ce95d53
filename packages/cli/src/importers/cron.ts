import { maxGracePeriodSeconds, maxHeartbeatIntervalSeconds } from '@uptime/sdk/contract';

const daySeconds = 86_400;
/**
 * The search for runs covers this many days from 2024 on: eight years and a month. So it finds two runs of a job that
 * runs only on 29 February: in 2024 and in 2028.
 */
const daysLooked = 8 * 366 + 31;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const nicknames: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@every_minute': '* * * * *',
};

/**
 * Returns the longest time from one run of a cron expression to the next, in seconds; null if the expression is not
 * valid, or if it never runs. Ignores daylight saving time.
 */
export function longestGapSeconds(expression: string): number | null {
  const fields = (nicknames[expression.trim().toLowerCase()] ?? expression).trim().split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = fields;
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const dates = valuesOf(date, 1, 31);
  const months = valuesOf(month, 1, 12, monthNames, 1);
  const weekdays = valuesOf(weekday, 0, 7, dayNames, 0);
  if (!minutes || !hours || !dates || !months || !weekdays) return null;
  if (weekdays.has(7)) weekdays.add(0);
  // If both date and weekday are restricted, cron runs on days that match either of them.
  const isEither = !date.startsWith('*') && !weekday.startsWith('*');
  const runsOn = (day: Date) => {
    const [byDate, byWeekday] = [dates.has(day.getUTCDate()), weekdays.has(day.getUTCDay())];
    return months.has(day.getUTCMonth() + 1) && (isEither ? byDate || byWeekday : byDate && byWeekday);
  };
  const times = [...hours].flatMap((h) => [...minutes].map((m) => h * 3600 + m * 60)).toSorted((a, b) => a - b);
  const within = Math.max(0, ...times.slice(1).map((time, i) => time - times[i]!));
  const overnight = times[0]! - times.at(-1)!;
  let longest = within;
  let last: number | null = null;
  for (let day = 0; day < daysLooked; day++) {
    if (!runsOn(new Date(Date.UTC(2024, 0, 1 + day)))) continue;
    if (last !== null) longest = Math.max(longest, (day - last) * daySeconds + overnight);
    last = day;
  }
  return longest > 0 ? longest : null;
}

/** Returns the values of a field such as `0`, `1-5`, `*\/10` or `mon,wed`; null if the field is not valid. */
function valuesOf(field: string, minValue: number, maxValue: number, names: readonly string[] = [], first = 0) {
  const values = new Set<number>();
  for (const part of field.toLowerCase().split(',')) {
    // For `a~b`, cron chooses a random time between `a` and `b` once, and then always uses it. So any fixed time gives
    // the same gaps.
    const drawn = part.replace(/^(\d*)~\d*$/, (_, begin: string) => begin || String(minValue));
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(drawn) ?? [];
    const [from = '', to = from] = range === '*' ? [String(minValue), String(maxValue)] : range.split('-');
    const number = (text: string) => (names.includes(text) ? names.indexOf(text) + first : Number(text || NaN));
    const end = part.includes('/') && !range.includes('-') ? maxValue : number(to);
    const [begin, every] = [number(from), Number(step)];
    const isValid = [begin, end].every((one) => Number.isInteger(one) && one >= minValue && one <= maxValue);
    if (!isValid || every < 1 || begin > end || range.split('-').length > 2) return null;
    for (let value = begin; value <= end; value += every) values.add(value);
  }
  return values;
}

/**
 * Returns the interval and grace period of a heartbeat for a job whose runs are at most `gap` seconds apart; null if
 * `gap` is too long.
 */
export function heartbeatFields(gap: number, grace: number): { interval: number; gracePeriod: number } | null {
  const interval = Math.min(gap, maxHeartbeatIntervalSeconds);
  const gracePeriod = gap - interval + grace;
  return gap - interval > maxGracePeriodSeconds
    ? null
    : { interval, gracePeriod: Math.min(gracePeriod, maxGracePeriodSeconds) };
}
