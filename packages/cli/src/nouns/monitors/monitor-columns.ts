import type { Monitor } from '@uptime/sdk';
import { isPassive, secretsErrorOf } from '@uptime/sdk/contract';
import { type ListColumn, timeColumn } from '../../list-table.ts';
import { interval } from '../../times.ts';
import type { View } from '../noun.ts';
import { statusColour } from './status-colour.ts';
import { targetOf } from './target-of.ts';

/** Returns the status of a monitor, with a note if the server paused the monitor or cannot check it. */
function statusText(monitor: Monitor): string {
  if (monitor.pausedReason) return `${monitor.status} (${monitor.pausedReason})`;
  return secretsErrorOf(monitor) !== null ? `${monitor.status} (not checked)` : monitor.status;
}

/** The columns of a list of monitors. */
export const monitorColumns = ({ paint, now }: View): ListColumn<Monitor>[] => [
  {
    title: 'STATUS',
    value: (monitor) => statusText(monitor),
    colour: ({ status }, text) => statusColour(paint, status)(text),
  },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'TYPE', value: ({ type }) => type },
  {
    title: 'TARGET',
    value: targetOf,
    // Most addresses begin with the same scheme, so the short form leaves it out.
    short: (monitor) => targetOf(monitor).replace(/^https?:\/\/(.*?)\/?$/, '$1'),
    cut: true,
  },
  {
    title: 'EVERY',
    value: (monitor) => `${monitor.interval} s`,
    short: (monitor) => interval(monitor.interval),
  },
  timeColumn('CHECKED', {
    read: (monitor) => (isPassive(monitor) ? monitor.lastPingAt : monitor.lastCheckedAt),
    none: 'never',
    now,
  }),
  { title: 'ID', value: ({ id }) => id, wide: true },
];
