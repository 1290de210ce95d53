import type { IncidentStatus } from '@uptime/sdk/contract';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { IncidentView } from './view.ts';

const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', 60_000],
  ['s', 1000],
] as const;

// `Intl` is not used, because reading its data takes 15 ms and two megabytes at each start.
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Formats a day's number since the epoch as `3 Nov`. */
export function dayName(day: number): string {
  const date = new Date(day * dayMs);
  const name = monthNames[date.getUTCMonth()]!;
  return `${date.getUTCDate()} ${name === 'September' ? 'Sept' : name.slice(0, 3)}`;
}

/** Formats `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return `${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a duration in milliseconds, in its two largest units: `2 h 5 min`, `0 s`. */
export function duration(ms: number): string {
  let left = ms;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** Formats a percentage as `99.98 %`. It is rounded down, so that 100 % means no downtime. */
export const percent = (value: number): string => `${Math.floor(value * 100) / 100} %`;

/** Formats a duration that still grows, in whole minutes, because pages are refreshed only now and then. */
export const span = (ms: number): string => (ms < 60_000 ? 'less than a minute' : duration(ms - (ms % 60_000)));

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

type Phased = Pick<IncidentView, 'maintenance' | 'status' | 'startedAt' | 'resolvedAt'>;

/** Returns the phase of a maintenance window at the time `now`; null for an incident. */
export function phaseOf(
  { maintenance, startedAt, resolvedAt }: Phased,
  now: number,
): 'scheduled' | 'in_progress' | 'completed' | 'called_off' | null {
  if (!maintenance) return null;
  if (resolvedAt !== null) return resolvedAt <= startedAt ? 'called_off' : 'completed';
  return startedAt > now ? 'scheduled' : 'in_progress';
}

const phaseNames = {
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  completed: 'Completed',
  called_off: 'Called off',
} as const;

/** Returns the state of an incident or a maintenance window in a word or two. */
export function statusName(incident: Phased, now: number): string {
  const phase = phaseOf(incident, now);
  return phase === null ? capital(incident.status) : phaseNames[phase];
}

/** Returns the name of the state that an update of the timeline records. */
export const statusNameAt = (incident: Phased, status: IncidentStatus, at: number): string =>
  statusName({ ...incident, status, resolvedAt: status === 'resolved' ? at : null }, at);
