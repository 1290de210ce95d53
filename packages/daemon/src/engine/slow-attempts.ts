import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';

/**
 * An attempt counts as slow after this time. Only an attempt to send mail can take longer: a mail server may answer
 * after ten minutes.
 */
const slowAfterMs = 20_000;
/** Maximum number of slow attempts of one channel that give up their slots. Further slow attempts keep their slots. */
const maxPerChannel = 4;
/**
 * Maximum number of slow attempts of all channels that give up their slots. The limit exists because sockets are
 * limited.
 */
const maxInAll = 500;

export interface SlowAttempts {
  /**
   * Watches an attempt. Call the returned function at the end of the attempt. `freeSlot` is called once: at that end,
   * or earlier if the attempt becomes slow.
   */
  watch(channel: number, freeSlot: () => void): () => void;
  /** How many running attempts have given up their slots. */
  count(): number;
  /** Whether the channel has a running attempt that has given up its slot. */
  has(channel: number): boolean;
}

/** Lets slow attempts give their slots to others, so that a hanging mail server does not delay other channels. */
export function createSlowAttempts(clock: Clock): SlowAttempts {
  const byChannel = new Map<number, number>();
  let count = 0;
  const add = (channel: number, one: 1 | -1) => {
    count += one;
    const left = (byChannel.get(channel) ?? 0) + one;
    if (left === 0) byChannel.delete(channel);
    else byChannel.set(channel, left);
  };
  return {
    watch(channel, freeSlot) {
      const ended = new AbortController();
      let isSlow = false;
      void wait(clock, slowAfterMs, ended.signal).then(() => {
        if (ended.signal.aborted || count >= maxInAll || (byChannel.get(channel) ?? 0) >= maxPerChannel) return;
        isSlow = true;
        add(channel, 1);
        freeSlot();
      });
      return () => {
        ended.abort();
        if (isSlow) add(channel, -1);
        else freeSlot();
      };
    },
    count: () => count,
    has: (channel) => byChannel.has(channel),
  };
}
