import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import type { ChalkInstance } from 'chalk';
import { type ListColumn, timeColumn } from '../../list-table.ts';
import { interval } from '../../times.ts';
import { statusColour } from './status-colour.ts';
import { target } from './target.ts';

/** The columns of a list of monitors. */
export const monitorColumns = (paint: ChalkInstance, now: number): ListColumn<Monitor>[] => [
  {
    title: 'STATUS',
    value: ({ status, pausedReason }) => (pausedReason ? `${status} (${pausedReason})` : status),
    colour: ({ status }, text) => statusColour(paint, status)(text),
  },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'TYPE', value: ({ type }) => type },
  {
    title: 'TARGET',
    value: target,
    // Addresses differ after the scheme, so a narrow table leaves the scheme out.
    short: (monitor) => target(monitor).replace(/^https?:\/\/(.*?)\/?$/, '$1'),
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
