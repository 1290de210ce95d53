import type { Monitor } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { chooseMonitors } from '../../nouns/filter-monitors.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import { look, lookOptions } from '../wait/read-again.ts';
import type { WaitClock } from '../wait/wait-clock.ts';

/** One way to show monitors. */
export interface WatchView {
  /** Shows the monitors after each read. The view may read more from the server. */
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
  /** When the watch ends, by `clock`. */
  endAt: number;
}

const pageSize = 1000;

/**
 * Reads and shows monitors again and again until `endAt` or an abort. A server that does not answer only delays the
 * next read. If a read takes several requests, reads are further apart.
 */
export async function lookRepeatedly({ labels, everyMs, clock, endAt }: Looking, view: WatchView, server: Server) {
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
      const leftMs = endAt - clock.now();
      if (leftMs <= 0) return;
      const waitMs = isFailed ? Math.max(everyMs, found.retryAfterMs) : everyMs * found.pages;
      await clock.pause(Math.min(waitMs, leftMs), signal);
    }
  } catch (error) {
    // An abort is the normal end of a watch. It interrupts a pause or a request, which then throws.
    if (!signal.aborted) throw error;
  }
}
