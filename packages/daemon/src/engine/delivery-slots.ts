import type { DueChannel } from '../alerting/deliveries/due-deliveries.ts';
import { isCautious } from '../core/backoff.ts';
import { mayTake } from '../core/fair-share.ts';
import type { SteadyClock } from '../deps.ts';
import { createSlowAttempts } from './slow-attempts.ts';

/** Maximum number of attempts at once for one channel. */
const maxPerChannel = 4;

/** The slots that channels and projects use. A slot is the right to run one attempt to send a message. */
export interface DeliverySlots {
  /**
   * Returns the channels in the order in which they get slots: the channel with the fewest running attempts comes
   * first.
   */
  leastFirst<C extends DueChannel>(channels: readonly C[]): C[];
  /**
   * Returns how many messages a channel may send now. `running` attempts run already, and the attempts in `wanted` are
   * about to begin.
   */
  freeFor(channel: DueChannel, now: number, running: number, wanted: WantedSlots): number;
  /**
   * Takes a slot for an attempt. Call the returned function at the end of the attempt. `onFree` is called once: at that
   * end, or earlier if the attempt is slow and gives its slot to others.
   */
  take(channel: number, project: string, onFree: () => void): () => void;
}

/**
 * Divides the slots among channels and projects. A slow attempt gives its slot to others. A channel may use up to
 * `maxPerChannel` slots, but only one slot in these cases:
 * - Half of all slots are in use.
 * - A rate limit of the channel has ended only recently.
 * - An attempt of the channel has given up its slot, and still runs.
 */
export function createDeliverySlots(clock: SteadyClock, maxInAll: number): DeliverySlots {
  const byChannel = createTally<number>();
  const byProject = createTally<string>();
  const slow = createSlowAttempts(clock);
  return {
    leastFirst: (channels) => channels.toSorted((a, b) => byChannel.of(a.channel) - byChannel.of(b.channel)),
    freeFor({ channel, project, waitUntil }, now, running, wanted) {
      const used = running - slow.count() + wanted.count();
      const atOnce = used < maxInAll / 2 && !isCautious(waitUntil, now) && !slow.has(channel);
      const own = byProject.of(project) + wanted.of(project);
      return Math.min((atOnce ? maxPerChannel : 1) - byChannel.of(channel), mayTake({ maxItems: maxInAll, used, own }));
    },
    take(channel, project, onFree) {
      byChannel.add(channel, 1);
      byProject.add(project, 1);
      return slow.watch(channel, () => {
        byChannel.add(channel, -1);
        byProject.add(project, -1);
        onFree();
      });
    },
  };
}

/** The slots that messages are about to take, in total and by project. */
export interface WantedSlots {
  count(): number;
  of(project: string): number;
  add(project: string, count: number): void;
}

export function createWantedSlots(): WantedSlots {
  const byProject = createTally<string>();
  let all = 0;
  return {
    count: () => all,
    of: byProject.of,
    add(project, count) {
      all += count;
      byProject.add(project, count);
    },
  };
}

/** Creates a tally: a count for each name. A name with a count of zero takes no memory. */
function createTally<K>() {
  const counts = new Map<K, number>();
  const of = (name: K) => counts.get(name) ?? 0;
  return {
    of,
    add(name: K, count: number) {
      const sum = of(name) + count;
      if (sum === 0) counts.delete(name);
      else counts.set(name, sum);
    },
  };
}
