import { isPassive } from '@uptime/sdk/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { styleText } from 'node:util';
import { type Monitor, Uptime } from '@uptime/sdk';

/** Colours a text if the terminal supports colours. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

export interface WatchOptions {
  url: string;
  apiKey: string;
  signal: AbortSignal;
  say: (text: string) => void;
  paint: Paint;
}

const pollEveryMs = 500;

/** Prints the status of each monitor and every change of status, until `signal` is aborted. */
export async function watchMonitors({ url, apiKey, signal, say, paint }: WatchOptions): Promise<void> {
  const client = new Uptime({ siteUrl: url, apiKey });
  const told = new Map<string, string>();
  let trouble = '';
  while (!signal.aborted) {
    try {
      const monitors = await client.monitors.list(undefined, { signal });
      for (const monitor of monitors) {
        if (told.get(monitor.id) === monitor.status) continue;
        told.set(monitor.id, monitor.status);
        say(line(monitor, paint));
      }
      const present = new Set(monitors.map((monitor) => monitor.id));
      for (const id of told.keys()) if (!present.has(id)) told.delete(id);
      trouble = '';
    } catch (error) {
      if (signal.aborted) return;
      const { message } = error as Error;
      if (message !== trouble) say(`The monitors cannot be read at the moment: ${message}`);
      trouble = message;
    }
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function line(monitor: Monitor, paint: Paint): string {
  const time = paint('dim', new Date().toTimeString().slice(0, 8));
  const colour = ({ up: 'green', down: 'red', pending: 'yellow', paused: 'dim' } as const)[monitor.status];
  const waits = monitor.status === 'pending' && isPassive(monitor) ? paint('dim', '  (waits for its first ping)') : '';
  return `${time}  ${paint(colour, monitor.status.padEnd(7))}  ${monitor.name}${waits}`;
}
