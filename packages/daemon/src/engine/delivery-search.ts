import { dueDeliveries } from '../alerting/deliveries/due-deliveries.ts';
import { interleaveByOwner } from '../core/fair-share.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import { createWantedSlots, type DeliverySlots, type DueChannel } from './delivery-slots.ts';

/** Channels whose due messages are read in one turn of the event loop. */
const mostChannelsInTurn = 50;

export interface DeliverySearch {
  /** The due messages of these channels that may be sent now. If there is not enough room, projects take turns. */
  find(channels: readonly DueChannel[], now: number): Promise<number[]>;
  /** Whether a channel had at least as many due messages as slots. The call clears this mark. */
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
        if (++looked % mostChannelsInTurn === 0) await nextTurn();
        const due = await dueDeliveries(store.db, channel, { at: now, limit: free });
        if (due.length === free) busy.add(channel);
        else busy.delete(channel);
        // If a claim lapsed because the store refused its result, this process still handles the message.
        const found = due.filter((seq) => !running.has(seq));
        wanted.push(...found);
        wantedSlots.add(project, found.length);
      }
      return wanted;
    },
  };
}
