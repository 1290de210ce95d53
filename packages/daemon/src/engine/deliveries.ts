import { failureKind, isCautious } from '../core/backoff.ts';
import { inTurns, mayTake } from '../core/fair-share.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  freeDeliveries,
  releaseDeliveries,
} from '../operations/alerts/claim-deliveries.ts';
import { dueChannels, dueDeliveries } from '../operations/alerts/due-deliveries.ts';
import { createClaimRenewal } from '../operations/alerts/renew-deliveries.ts';
import { type Finished, finishDelivery } from '../operations/alerts/finish-delivery.ts';
import type { Courier } from '../operations/courier.ts';
import type { MessageRules } from '../operations/message-rules.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import { type HurriedLoop, pause, startLoop, stopGraceMs } from './loop.ts';
import { createSlowAttempts } from './slow-attempts.ts';

/** Milliseconds between looks into the outbox. */
const patience = 250;
/** Milliseconds until the next look when a place of a channel that has more to send is free: what ends together is seen together. */
const soon = 10;
/** Messages under way to one channel. */
const perChannel = 4;
/** Messages under way to all, since sockets are finite; projects share them. From the half of it on, each channel has one place. */
const mostInAll = 500;
/** Milliseconds for which a claim holds; it is renewed while its attempt goes on. */
const lease = 60_000;
/** Milliseconds after which an attempt that the store refused is offered to it again. */
const recordAgainAfter = 500;
/** A message that nobody began to send so long after it was due, in milliseconds, is told of. */
const tooLate = 60_000;

export interface Deliveries extends HurriedLoop {
  /** The number of channels whose messages are overdue. */
  overdue(): Promise<number>;
}

/**
 * Sends what is in the outbox:
 * 1. Find the channels that have something due, and of each as many messages as it has places free.
 * 2. Claim them in one synced transaction: whatever is sent was on the disk before.
 * 3. Send each, once; a channel that hangs or fails holds its own places alone, and what is slow gives its place away.
 * 4. When an attempt is over, record it, later if the store takes no writes: that ends the message, or says when it is
 *    tried again.
 * 5. Come back at once when a place of a channel that has more is free.
 */
export async function startDeliveries(
  deps: Deps & { clock: SteadyClock },
  {
    store,
    courier,
    rules,
    mostUnderWay: inAll = mostInAll,
  }: { store: Store; courier: Courier; rules?: MessageRules | undefined; mostUnderWay?: number | undefined },
): Promise<Deliveries> {
  const { clock, log } = deps;
  await freeDeliveries(store, clock.now());
  const running = new Map<number, Promise<void>>();
  /** Places taken, by channel and by project. */
  const places = createTally<number>();
  const projectPlaces = createTally<string>();
  const slow = createSlowAttempts(clock);
  /** Channels that had as much to send as they had places, or more. */
  const eager = new Set<number>();
  const stopping = new AbortController();
  /** Whose attempts did not end before the stop. */
  const cutOff: number[] = [];
  const finished = createBatch(
    store,
    async (trx, items: Omit<Finished, 'begun'>[]) => {
      const answers = [];
      for (const item of items) {
        // The timeline may have stepped while the attempt went on, or waited to be written down.
        const at = clock.renew(item.at);
        answers.push(await finishDelivery(trx, { ...item, at, begun: at - Math.round(item.duration) }));
      }
      return answers;
    },
    // After a power cut some may be sent again, as after a kill: the next claim takes the rest to the disk.
    { durable: false },
  );

  const renewClaims = createClaimRenewal(store, clock, lease);
  const loop = startLoop(deps, 'deliveries', async () => {
    await renewClaims(running.keys());
    const now = clock.now();
    const wanted: number[] = [];
    const wantedBy = createTally<string>();
    const channels = await dueChannels(store.db, now);
    const willing = channels.filter(({ waitUntil }) => waitUntil <= now);
    const projects = new Map(channels.map(({ channel, project }) => [channel, project]));
    // Who has least under way comes first, should there not be room for all.
    const leastFirst = willing.toSorted((a, b) => places.of(a.channel) - places.of(b.channel));
    for (const { channel, project, waitUntil } of inTurns(leastFirst, (one) => one.project)) {
      const used = running.size - slow.count() + wanted.length;
      const atOnce = used < inAll / 2 && !isCautious(waitUntil, now) && !slow.has(channel);
      const own = projectPlaces.of(project) + wantedBy.of(project);
      const free = Math.min((atOnce ? perChannel : 1) - places.of(channel), mayTake({ most: inAll, used, own }));
      if (free <= 0) {
        eager.add(channel);
        continue;
      }
      const due = await dueDeliveries(store.db, channel, { at: now, limit: free });
      if (due.length === free) eager.add(channel);
      else eager.delete(channel);
      // A claim that lapsed because the store refused its end is still ours.
      const found = due.filter((seq) => !running.has(seq));
      wanted.push(...found);
      wantedBy.add(project, found.length);
    }

    const claimed = await claimDeliveries(store, wanted, {
      now,
      leaseUntil: now + lease,
      ...(rules && { rules }),
      onHeld: ({ why, ...of }) => log.warn(of, `a limit of messages holds a channel: ${why}`),
    });

    for (const delivery of claimed) start(delivery, projects.get(delivery.to) ?? '');

    // Those that were claimed and not to be sent made room.
    if (claimed.length < wanted.length) return soon;
    const waits = channels.map(({ waitUntil }) => waitUntil - clock.now()).filter((wait) => wait > 0);
    return Math.min(patience, ...waits);
  });

  const start = (delivery: ClaimedDelivery, project: string) => {
    const { seq, to: channel } = delivery;
    places.add(channel, 1);
    projectPlaces.add(project, 1);
    const endAttempt = slow.watch(channel, () => {
      places.add(channel, -1);
      projectPlaces.add(project, -1);
      if (eager.delete(channel)) loop.wake(soon);
    });
    const end = () => {
      running.delete(seq);
      endAttempt();
    };
    const failed = (error: unknown) =>
      log.error(
        { delivery: delivery.id, err: error },
        'a delivery could not be recorded; it is due when its claim lapses',
      );
    running.set(seq, send(delivery).catch(failed).finally(end));
  };

  const send = async (claimed: ClaimedDelivery): Promise<void> => {
    const { seq, id, channel, notice } = claimed;
    const from = clock.monotonic();
    const sent = await courier.send(channel, id, notice, stopping.signal);
    if (stopping.signal.aborted && !sent.ok) {
      cutOff.push(seq);
      return;
    }
    await record({
      claimed,
      at: clock.now(),
      sent,
      duration: clock.monotonic() - from,
      random: deps.random(),
    });
    if (sent.ok) return;
    const about = { delivery: id, channel: channel.id, status: sent.status };
    if (failureKind(sent) === 'rate_limited') log.debug(about, 'a channel limits the rate of messages');
    else log.warn(about, 'a message did not arrive');
  };

  /** What was sent is known to be sent also when the store takes no writes for a while. */
  const record = async (item: Omit<Finished, 'begun'>): Promise<void> => {
    for (;;) {
      try {
        return await finished.submit(item);
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'unavailable') || stopping.signal.aborted) throw error;
      }
      await pause(clock, recordAgainAfter, stopping.signal);
    }
  };

  return {
    ...loop,
    async overdue() {
      const late = clock.now() - tooLate;
      return (await dueChannels(store.db, late)).filter(({ waitUntil }) => waitUntil <= late).length;
    },
    hurry: () => stopping.abort(),
    async stop() {
      await loop.stop();
      const ended = Promise.all(running.values());
      const waited = pause(clock, stopGraceMs, stopping.signal);
      await Promise.race([ended, waited]);
      stopping.abort();
      await ended;
      await finished.close();
      await releaseDeliveries(store, cutOff, clock.now());
    },
  };
}

/** Counts by name; a name that counts nothing takes no room. */
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
