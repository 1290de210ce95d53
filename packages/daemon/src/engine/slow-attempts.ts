import type { Clock } from '../deps.ts';
import { pause } from './loop.ts';

/** An attempt is slow after so many milliseconds. Only a mail takes longer: its server may answer after ten minutes. */
const slowAfterMs = 20_000;
/** Slow attempts of one channel that give their places to others. Those beyond it keep them. */
const perChannel = 4;
/** The same for all channels, since sockets are finite. */
const inAll = 500;

export interface SlowAttempts {
  /** Watches an attempt. It calls `freePlace` once: when the attempt is slow, or when the answered function is called at its end. */
  watch(channel: number, freePlace: () => void): () => void;
  /** How many attempts gave their places away and go on. */
  count(): number;
  /** Whether the channel has such an attempt. */
  has(channel: number): boolean;
}

/** Lets attempts that take long give their places to others, so that a mail server that hangs holds up nobody else. */
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
    watch(channel, freePlace) {
      const ended = new AbortController();
      let isSlow = false;
      void pause(clock, slowAfterMs, ended.signal).then(() => {
        if (ended.signal.aborted || count >= inAll || (byChannel.get(channel) ?? 0) >= perChannel) return;
        isSlow = true;
        add(channel, 1);
        freePlace();
      });
      return () => {
        ended.abort();
        if (isSlow) add(channel, -1);
        else freePlace();
      };
    },
    count: () => count,
    has: (channel) => byChannel.has(channel),
  };
}
