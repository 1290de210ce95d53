import type { Monitor } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { chooseMonitors } from '../../nouns/monitors/filter-monitors.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import { look, lookOptions } from '../wait/read-again.ts';
import type { WaitClock } from '../wait/wait-clock.ts';

/** A way to show monitors: on a screen, or as a line for each change. */
export interface WatchView {
  /** Shows the monitors that a read returned. The view may also send its own requests to the server. */
  show: (monitors: readonly Monitor[]) => Promise<void>;
  /** Shows that the server could not be read. */
  failed: (why: string) => void;
  /** Restores the terminal. */
  close: () => void;
}

interface Looking {
  labels: readonly string[];
  everyMs: number;
  clock: WaitClock;
  /** When the watch ends, in the time of `clock`. */
  endMonoMs: number;
}

const pageSize = 1000;

/**
 * Reads and shows monitors again and again, until `endMonoMs` or an abort. If the server does not answer, only the next
 * read is delayed. If a read needs several requests, the waits between reads are longer.
 */
export async function lookRepeatedly({ labels, everyMs, clock, endMonoMs }: Looking, view: WatchView, server: Server) {
  const { signal } = server;
  const { rows } = chooseMonitors({ label: [...labels] });
  const readAndShow = async () => {
    const all = await allMonitors(server, lookOptions);
    await view.show(rows?.(all, false) ?? all);
    return { pages: Math.ceil(all.length / pageSize) || 1 };
  };
  try {
    for (;;) {
      const found = await look(readAndShow);
      const isFailed = 'failed' in found;
      if (isFailed) view.failed(found.failed);
      const leftMs = endMonoMs - clock.monotonicMs();
      if (leftMs <= 0) return;
      const waitMs = isFailed ? Math.max(everyMs, found.retryAfterMs) : everyMs * found.pages;
      await clock.wait(Math.min(waitMs, leftMs), signal);
    }
  } catch (error) {
    // An abort is the normal end of a watch. It interrupts a wait or a request, which then throws an error.
    if (!signal.aborted) throw error;
  }
}
