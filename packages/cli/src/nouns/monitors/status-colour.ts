import type { Monitor } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';

/** Returns the colour of a status. A status that only a newer server knows is yellow. */
export function statusColour(paint: ChalkInstance, status: Monitor['status']): ChalkInstance {
  const colours = { up: paint.green, down: paint.red, pending: paint.yellow, paused: paint.dim };
  return Object.hasOwn(colours, status) ? colours[status] : paint.yellow;
}
