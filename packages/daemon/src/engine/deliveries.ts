import { failureKind, isCautious } from '../core/backoff.ts';
import { inTurns, mayTake } from '../core/fair-share.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  freeDeliveries,
  releaseDeliveries,
} from '../alerting/deliveries/claim-deliveries.ts';
import { dueChannels, dueDeliveries } from '../alerting/deliveries/due-deliveries.ts';
import { createClaimRenewal } from '../alerting/deliveries/renew-deliveries.ts';
import { type Finished, finishDelivery } from '../alerting/deliveries/finish-delivery.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { MessageRules } from '../alerting/message-rules.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import { type InterruptibleLoop, startLoop, stopGraceMs } from './loop.ts';
import { nextTurn, wait } from '../wait.ts';
import { retryRefused } from './retry-refused.ts';
import { createSlowAttempts } from './slow-attempts.ts';

/** Time between looks into the outbox. */
const pollIntervalMs = 250;
/**
 * Milliseconds until the next look after a busy channel has a free place, so that attempts ending together are handled
 * together.
 */
const busyRetryMs = 10;
/** Most attempts at once for one channel. */
const perChannel = 4;
/**
 * Most attempts at once for all channels, because sockets are limited. Projects share them. When half are in use, each
 * channel has only one place.
 */
const mostInAll = 500;
/** Messages that are claimed and sent, or recorded, in one turn of the event loop. Each takes up to a millisecond. */
const mostInTurn = 32;
/** Channels whose due messages are read in one turn of the event loop. */
const mostChannelsInTurn = 50;
/** Time for which a claim holds. It is renewed during its attempt. */
export const deliveryLeaseMs = 60_000;
/** A message is reported as overdue if no attempt began within this many milliseconds after it was due. */
const overdueMs = 60_000;

export interface Deliveries extends InterruptibleLoop {
  /** The number of channels whose messages are overdue. */
  overdue(): Promise<number>;
}

/**
 * Sends the messages in the outbox:
 * 1. Find channels with due messages, and for each as many messages as it has free places.
 * 2. Claim them in one synced transaction, so that everything sent was on the disk before.
 * 3. Send each once. A channel that hangs or fails holds only its own places, and a slow attempt gives its place to
 * others.
 * 4. When an attempt ends, record it, later if the store refuses. That ends the message, or sets the time of its
 * retry.
 * 5. Look again at once when a busy channel has a free place.
 */
export async function startDeliveries(
  deps: Deps & { clock: SteadyClock },
  {
    store,
    notifier,
    rules,
    mostUnderWay: inAll = mostInAll,
  }: { store: Store; notifier: Notifier; rules?: MessageRules | undefined; mostUnderWay?: number | undefined },
): Promise<Deliveries> {
  const { clock, log } = deps;
  await freeDeliveries(store, clock.now());
  const running = new Map<number, Promise<void>>();
  /** Used places, by channel and by project. */
  const places = createTally<number>();
  const projectPlaces = createTally<string>();
  const slow = createSlowAttempts(clock);
  /** Channels that have at least as many due messages as places. */
  const busy = new Set<number>();
  const stopping = new AbortController();
  /** Messages whose attempts did not end before the stop. */
  const cutOff: number[] = [];
  const finished = createBatch(
    store,
    async (trx, items: Omit<Finished, 'begun'>[]) => {
      const answers = [];
      for (const item of items) {
        // The timeline may have stepped during the attempt or while its result waited.
        const at = clock.renew(item.at);
        answers.push(await finishDelivery(trx, { ...item, at, begun: at - Math.round(item.durationMs) }));
      }
      return answers;
    },
    // A power cut may cause some to be sent again, like a kill. The next claim syncs them to the disk.
    { durable: false, size: mostInTurn },
  );

  const renewClaims = createClaimRenewal(store, clock, deliveryLeaseMs);
  const loop = startLoop(deps, 'deliveries', async () => {
    await renewClaims(running.keys());
    const now = clock.now();
    const wanted: number[] = [];
    const wantedBy = createTally<string>();
    const channels = await dueChannels(store.db, now);
    const willing = channels.filter(({ waitUntil }) => waitUntil <= now);
    const projects = new Map(channels.map(({ channel, project }) => [channel, project]));
    // If there is not enough room, the channel with the fewest attempts comes first.
    let looked = 0;
    const leastFirst = willing.toSorted((a, b) => places.of(a.channel) - places.of(b.channel));
    for (const { channel, project, waitUntil } of inTurns(leastFirst, (one) => one.project)) {
      const used = running.size - slow.count() + wanted.length;
      const atOnce = used < inAll / 2 && !isCautious(waitUntil, now) && !slow.has(channel);
      const own = projectPlaces.of(project) + wantedBy.of(project);
      const free = Math.min((atOnce ? perChannel : 1) - places.of(channel), mayTake({ most: inAll, used, own }));
      if (free <= 0) {
        busy.add(channel);
        continue;
      }
      if (++looked % mostChannelsInTurn === 0) await nextTurn();
      const due = await dueDeliveries(store.db, channel, { at: now, limit: free });
      if (due.length === free) busy.add(channel);
      else busy.delete(channel);
      // A claim that lapsed because the store refused its result is still ours.
      const found = due.filter((seq) => !running.has(seq));
      wanted.push(...found);
      wantedBy.add(project, found.length);
    }

    let started = 0;
    for (let from = 0; from < wanted.length; from += mostInTurn) {
      if (from > 0) await nextTurn();
      const claimed = await claimDeliveries(store, wanted.slice(from, from + mostInTurn), {
        now,
        leaseUntil: now + deliveryLeaseMs,
        ...(rules && { rules }),
        onHeld: ({ why, ...of }) => log.warn(of, `a limit of messages holds a channel: ${why}`),
      });
      for (const delivery of claimed) start(delivery, projects.get(delivery.to) ?? '');
      started += claimed.length;
    }

    // Messages that were claimed and must not be sent left room for others.
    if (started < wanted.length) return busyRetryMs;
    const waits = channels.map(({ waitUntil }) => waitUntil - clock.now()).filter((wait) => wait > 0);
    return Math.min(pollIntervalMs, ...waits);
  });

  const start = (delivery: ClaimedDelivery, project: string) => {
    const { seq, to: channel } = delivery;
    places.add(channel, 1);
    projectPlaces.add(project, 1);
    const endAttempt = slow.watch(channel, () => {
      places.add(channel, -1);
      projectPlaces.add(project, -1);
      if (busy.delete(channel)) loop.wake(busyRetryMs);
    });
    const end = () => {
      running.delete(seq);
      endAttempt();
    };
    const failed = (error: unknown) =>
      log.error(
        { delivery: delivery.id, err: error },
        'the result of a delivery could not be recorded; it is due again when its claim lapses',
      );
    running.set(seq, send(delivery).catch(failed).finally(end));
  };

  const send = async (claimed: ClaimedDelivery): Promise<void> => {
    const { seq, id, channel, notice } = claimed;
    const from = clock.monotonicMs();
    const sent = await notifier.send(channel, id, notice, stopping.signal);
    if (stopping.signal.aborted && !sent.ok) {
      cutOff.push(seq);
      return;
    }
    await record({
      claimed,
      at: clock.now(),
      sent,
      durationMs: clock.monotonicMs() - from,
      random: deps.random(),
    });
    if (sent.ok) return;
    const about = { delivery: id, channel: channel.id, status: sent.status };
    if (failureKind(sent) === 'rate_limited') log.debug(about, 'a channel limits the rate of its messages');
    else log.warn(about, 'a message did not arrive');
  };

  /** Remembers that a message was sent even while the store accepts no writes. */
  const record = (item: Omit<Finished, 'begun'>) => retryRefused(clock, stopping.signal, () => finished.submit(item));

  return {
    ...loop,
    async overdue() {
      const late = clock.now() - overdueMs;
      return (await dueChannels(store.db, late)).filter(({ waitUntil }) => waitUntil <= late).length;
    },
    interrupt: () => stopping.abort(),
    async stop() {
      await loop.stop();
      const ended = Promise.all(running.values());
      const waited = wait(clock, stopGraceMs, stopping.signal);
      await Promise.race([ended, waited]);
      stopping.abort();
      await ended;
      await finished.close();
      await releaseDeliveries(store, cutOff, clock.now());
    },
  };
}

/** Counts by name. A name with a count of zero takes no memory. */
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
