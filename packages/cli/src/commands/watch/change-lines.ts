import type { Monitor } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';
import type { WatchView } from './look-repeatedly.ts';

/**
 * Creates a view that prints a line for each change of status: when the change was seen, the old and the new status,
 * and the name.
 */
export function createChangeLines(io: Pick<Io, 'print' | 'say'>, now: () => number): WatchView {
  let before: ReadonlyMap<string, Monitor> | null = null;
  let failing = false;
  const printChange = ({ name }: Monitor, from: string, to: string) =>
    io.print(`${new Date(now()).toISOString()} ${from} -> ${to} ${plain(name)}`);
  return {
    show(monitors) {
      if (failing) io.say('the server answers again');
      failing = false;
      for (const monitor of monitors) {
        const { id, status } = monitor;
        // At the first read, earlier statuses are unknown. So only monitors that are down are printed.
        if (before === null) {
          if (status === 'down') printChange(monitor, 'unknown', status);
          continue;
        }
        const was = before.get(id)?.status ?? 'new';
        if (was !== status) printChange(monitor, was, status);
      }
      const after = new Map(monitors.map((monitor) => [monitor.id, monitor]));
      for (const [id, monitor] of before ?? []) if (!after.has(id)) printChange(monitor, monitor.status, 'deleted');
      before = after;
      return Promise.resolve();
    },
    failed(why) {
      if (!failing) io.say(plain(`the server cannot be read: ${why}; trying again`));
      failing = true;
    },
    close: () => undefined,
  };
}
