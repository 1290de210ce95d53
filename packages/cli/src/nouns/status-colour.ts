import type { Monitor } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';

/** The colour of a status. */
export const statusColour = (paint: ChalkInstance, status: Monitor['status']): ChalkInstance =>
  ({ up: paint.green, down: paint.red, pending: paint.yellow, paused: paint.dim })[status];
