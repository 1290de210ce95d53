import type { Deps, SteadyClock } from '../deps.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  releaseAllClaims,
  releaseClaims,
} from '../alerting/deliveries/claim-deliveries.ts';
import { dueChannels } from '../alerting/deliveries/due-deliveries.ts';
import { createClaimRenewal } from '../alerting/deliveries/renew-deliveries.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { MessageRules } from '../alerting/message-rules.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import { createDeliveryAttempts } from './delivery-attempts.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import { createDeliverySearch } from './delivery-search.ts';
import { startLeaseTime } from './lease-time.ts';
import { type InterruptibleLoop, startLoop } from './loop.ts';

/** Longest time between two reads of the outbox. */
const pollIntervalMs = 250;
/**
 * When a slot of a busy channel becomes free, the outbox is read again after this time. If several attempts end
 * together, one read then fills all their slots.
 */
const busyRetryMs = 10;
/**
 * Maximum number of attempts at once for all channels together, because the number of sockets is limited. Projects
 * share the attempts.
 */
const maxInAll = 500;
/**
 * Maximum number of messages that are claimed and sent, or whose results are recorded, in one turn of the event loop.
 * Each message takes up to a millisecond.
 */
const maxInTurn = 32;
/** How long the claim of a message holds. The claim is renewed while the message is being sent. */
export const deliveryLeaseMs = 60_000;
/** A message is reported as overdue if no attempt to send it began within this time after it was due. */
const overdueMs = 60_000;

export interface DeliveriesOptions {
  store: Store;
  notifier: Notifier;
  rules?: MessageRules | undefined;
  maxUnderWay?: number | undefined;
}

/**
 * Sends the messages in the outbox:
 * 1. Find channels with due messages, and for each channel as many messages as it has free slots.
 * 2. Claim these messages in one synced transaction, so that every message is on the disk before it is sent.
 * 3. Send each claimed message once. A channel that hangs or fails uses only its own slots, and a slow attempt gives
 *    its slot to other messages.
 * 4. When an attempt ends, record its result. This finishes the message, or sets the time of its retry. If the store
 *    refuses the result, record it later.
 * 5. Read the outbox again soon after a busy channel has a free slot.
 */
export async function startDeliveries(
  deps: Deps & { clock: SteadyClock },
  { store, notifier, rules, maxUnderWay: inAll = maxInAll }: DeliveriesOptions,
): Promise<InterruptibleLoop> {
  const { clock, log } = deps;
  await releaseAllClaims(store, clock.now());
  const slots = createDeliverySlots(clock, inAll);
  const attempts = createDeliveryAttempts(deps, { store, notifier, maxRecordedAtOnce: maxInTurn });
  const search = createDeliverySearch(store, slots, attempts.running);

  const renewClaims = createClaimRenewal(store, clock, deliveryLeaseMs);
  const loop = startLoop(deps, 'deliveries', async () => {
    await renewClaims(attempts.running.values());
    const now = clock.now();
    const channels = await dueChannels(store.db, now);
    const projects = new Map(channels.map(({ channel, project }) => [channel, project]));
    const wanted = await search.find(
      channels.filter(({ waitUntil }) => waitUntil <= now),
      now,
    );
    let started = 0;
    for (let from = 0; from < wanted.length; from += maxInTurn) {
      if (from > 0) await nextTurn();
      const claimedAt = clock.now();
      const isSure = store.dialect.exclusive ? () => true : startLeaseTime(clock, deliveryLeaseMs);
      const claimed = await claimDeliveries(store, wanted.slice(from, from + maxInTurn), {
        now: claimedAt,
        leaseUntil: claimedAt + deliveryLeaseMs,
        ...(rules && { rules }),
        onDelayed: ({ why, ...of }) => log.warn(of, `a message limit delays a channel: ${why}`),
      });
      if (isSure()) {
        for (const delivery of claimed) start(delivery, projects.get(delivery.to) ?? '');
        started += claimed.length;
      } else {
        // The claims may have lapsed, because this process was suspended or its wall clock was set. The messages are
        // due again at once, except those that another process has claimed meanwhile.
        await releaseClaims(store, claimed, clock.now());
      }
    }
    // `claimDeliveries` left out messages that must not be sent now. So there are free slots for other messages, and
    // the outbox is read again soon.
    if (started < wanted.length) return busyRetryMs;
    const waits = channels.map(({ waitUntil }) => waitUntil - clock.now()).filter((wait) => wait > 0);
    return Math.min(pollIntervalMs, ...waits);
  });

  const start = (delivery: ClaimedDelivery, project: string) => {
    const onFree = () => search.wasBusy(delivery.to) && loop.wake(busyRetryMs);
    attempts.start(delivery, slots.take(delivery.to, project, onFree));
  };

  return {
    ...loop,
    interrupt: () => attempts.interrupt(),
    async stop() {
      await loop.stop();
      await attempts.stop();
    },
  };
}

/** Returns the number of channels that have overdue messages. */
export async function countOverdue(store: Store, now: number): Promise<number> {
  const at = now - overdueMs;
  return (await dueChannels(store.db, at)).filter(({ waitUntil }) => waitUntil <= at).length;
}
