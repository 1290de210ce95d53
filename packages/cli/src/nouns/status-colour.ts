import type { Monitor } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';

/** The colour of a status. A newer server may have other statuses. */
export function statusColour(paint: ChalkInstance, status: Monitor['status']): ChalkInstance {
  const colours = { up: paint.green, down: paint.red, pending: paint.yellow, paused: paint.dim };
  return Object.hasOwn(colours, status) ? colours[status] : paint.yellow;
}
