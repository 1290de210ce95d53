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

/** Time between looks into the outbox. */
const pollIntervalMs = 250;
/**
 * Time from a busy channel's free slot to the next look into the outbox. So attempts that end together are handled
 * together.
 */
const busyRetryMs = 10;
/** Maximum number of attempts at once for all channels, because sockets are limited. Projects share them. */
const mostInAll = 500;
/**
 * Maximum number of messages that are claimed and sent, or recorded, in one turn of the event loop. Each takes up to a
 * millisecond.
 */
const mostInTurn = 32;
/** Time for which a claim holds. It is renewed during its attempt. */
export const deliveryLeaseMs = 60_000;
/** A message is reported as overdue if no attempt began within this time after it was due. */
const overdueMs = 60_000;

export interface DeliveriesOptions {
  store: Store;
  notifier: Notifier;
  rules?: MessageRules | undefined;
  mostUnderWay?: number | undefined;
}

/**
 * Sends the messages in the outbox:
 * 1. Find channels with due messages, and for each channel as many messages as it has free slots.
 * 2. Claim these messages in one synced transaction, so that every message is on the disk before it is sent.
 * 3. Send each once. A channel that hangs or fails holds only its own slots, and a slow attempt gives its slot to
 * others.
 * 4. When an attempt ends, record it; if the store refuses, record it later. The record ends the message, or sets the
 * time of its retry.
 * 5. Look again at once when a busy channel has a free slot.
 */
export async function startDeliveries(
  deps: Deps & { clock: SteadyClock },
  { store, notifier, rules, mostUnderWay: inAll = mostInAll }: DeliveriesOptions,
): Promise<InterruptibleLoop> {
  const { clock, log } = deps;
  await releaseAllClaims(store, clock.now());
  const slots = createDeliverySlots(clock, inAll);
  const attempts = createDeliveryAttempts(deps, { store, notifier, recordedAtOnce: mostInTurn });
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
    for (let from = 0; from < wanted.length; from += mostInTurn) {
      if (from > 0) await nextTurn();
      const claimedAt = clock.now();
      const isSure = store.dialect.exclusive ? () => true : startLeaseTime(clock, deliveryLeaseMs);
      const claimed = await claimDeliveries(store, wanted.slice(from, from + mostInTurn), {
        now: claimedAt,
        leaseUntil: claimedAt + deliveryLeaseMs,
        ...(rules && { rules }),
        onDelayed: ({ why, ...of }) => log.warn(of, `a message limit delays a channel: ${why}`),
      });
      if (isSure()) {
        for (const delivery of claimed) start(delivery, projects.get(delivery.to) ?? '');
        started += claimed.length;
      } else {
        // This process stood still since the claim, or its wall clock was set. If no other process has claimed the
        // messages meanwhile, they are due again at once.
        await releaseClaims(store, claimed, clock.now());
      }
    }
    // Claimed messages that must not be sent have freed their slots.
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

/** The number of channels whose messages are overdue. */
export async function countOverdue(store: Store, now: number): Promise<number> {
  const at = now - overdueMs;
  return (await dueChannels(store.db, at)).filter(({ waitUntil }) => waitUntil <= at).length;
}
