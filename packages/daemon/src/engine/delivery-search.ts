import { type DueChannel, dueDeliveries } from '../alerting/deliveries/due-deliveries.ts';
import { interleaveByOwner } from '../core/fair-share.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import { createWantedSlots, type DeliverySlots } from './delivery-slots.ts';

/** Maximum number of channels whose due messages are read in one turn of the event loop. */
const maxChannelsInTurn = 50;

export interface DeliverySearch {
  /**
   * Resolves with the due messages of these channels that may be sent now. If there are too few slots for all, projects
   * take turns.
   */
  find(channels: readonly DueChannel[], now: number): Promise<number[]>;
  /**
   * Whether a channel was busy at the last search: it had no free slot, or enough due messages for all its free slots.
   * The call resets this to false.
   */
  wasBusy(channel: number): boolean;
}

export function createDeliverySearch(
  store: Store,
  slots: DeliverySlots,
  running: ReadonlyMap<number, unknown>,
): DeliverySearch {
  const busy = new Set<number>();
  return {
    wasBusy: (channel) => busy.delete(channel),
    async find(channels, now) {
      const wanted: number[] = [];
      const wantedSlots = createWantedSlots();
      let looked = 0;
      for (const one of interleaveByOwner(slots.leastFirst(channels), ({ project }) => project)) {
        const { channel, project } = one;
        const free = slots.freeFor(one, now, running.size, wantedSlots);
        if (free <= 0) {
          busy.add(channel);
          continue;
        }
        if (++looked % maxChannelsInTurn === 0) await nextTurn();
        const due = await dueDeliveries(store.db, channel, { at: now, limit: free });
        if (due.length === free) busy.add(channel);
        else busy.delete(channel);
        // If the store refuses the result of an attempt, the claim of the message may lapse, and the message is due
        // again. But this process still has that result, and must not send the message again.
        const found = due.filter((seq) => !running.has(seq));
        wanted.push(...found);
        wantedSlots.add(project, found.length);
      }
      return wanted;
    },
  };
}
