import { type ClaimedDelivery, releaseClaims } from '../alerting/deliveries/claim-deliveries.ts';
import { type Finished, finishDelivery } from '../alerting/deliveries/finish-delivery.ts';
import type { Notifier } from '../alerting/notifier.ts';
import { failureKind } from '../core/backoff.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';
import { stopGraceMs } from './loop.ts';
import { retryRefused } from './retry-refused.ts';

export interface DeliveryAttempts {
  /** Sends a claimed message once, and records the result. Then calls `onEnd`. */
  start(delivery: ClaimedDelivery, onEnd: () => void): void;
  /** The messages that are being sent, by their `seq`. */
  running: ReadonlyMap<number, ClaimedDelivery>;
  /** Aborts the running attempts. */
  interrupt(): void;
  /**
   * Gives running attempts some time to end, and then aborts them. The messages of aborted attempts become due again,
   * so that the next start of the daemon sends them.
   */
  stop(): Promise<void>;
}

/**
 * Creates the object that sends claimed messages and records the results. The results of at most `maxRecordedAtOnce`
 * attempts share a commit.
 */
export function createDeliveryAttempts(
  deps: Deps & { clock: SteadyClock },
  { store, notifier, maxRecordedAtOnce }: { store: Store; notifier: Notifier; maxRecordedAtOnce: number },
): DeliveryAttempts {
  const { clock, log } = deps;
  const running = new Map<number, ClaimedDelivery>();
  const ends = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Messages whose attempts were aborted by a stop of the daemon. */
  const cutOff: ClaimedDelivery[] = [];
  const finished = createFinishedBatch(clock, store, maxRecordedAtOnce);

  const send = async (claimed: ClaimedDelivery): Promise<void> => {
    const { id, channel, notice } = claimed;
    const fromMonoMs = clock.monotonicMs();
    const sent = await notifier.send(channel, id, notice, stopping.signal);
    if (stopping.signal.aborted && !sent.ok) {
      cutOff.push(claimed);
      return;
    }
    const durationMs = clock.monotonicMs() - fromMonoMs;
    const item = { claimed, at: clock.now(), sent, durationMs, random: deps.random() };
    // While the store accepts no writes, the result of the attempt stays in memory, and the write is retried.
    await retryRefused(clock, stopping.signal, () => finished.submit(item));
    if (sent.ok) return;
    const about = { delivery: id, channel: channel.id, status: sent.status };
    if (failureKind(sent) === 'rate_limited') log.debug(about, 'a channel limits the rate of its messages');
    else log.warn(about, 'a message did not arrive');
  };

  return {
    running,
    start(delivery, onEnd) {
      const failed = (error: unknown) =>
        log.error(
          { delivery: delivery.id, err: error },
          'the result of a delivery could not be recorded; the delivery is due again when its claim lapses',
        );
      const end = () => {
        running.delete(delivery.seq);
        ends.delete(ended);
        onEnd();
      };
      running.set(delivery.seq, delivery);
      const ended: Promise<void> = send(delivery).catch(failed).finally(end);
      ends.add(ended);
    },
    interrupt: () => stopping.abort(),
    async stop() {
      const ended = Promise.all(ends);
      await Promise.race([ended, wait(clock, stopGraceMs, stopping.signal)]);
      stopping.abort();
      await ended;
      await finished.close();
      await releaseClaims(store, cutOff, clock.now());
    },
  };
}

/** Creates the batch that records ended attempts, several in a commit. */
function createFinishedBatch(clock: SteadyClock, store: Store, maxItems: number) {
  return createBatch(
    store,
    async (trx, items: Omit<Finished, 'begunAt'>[]) => {
      const answers = [];
      for (const item of items) {
        // The clock may have stepped during the attempt or while its result waited.
        const at = clock.renew(item.at);
        answers.push(await finishDelivery(trx, { ...item, at, begunAt: at - Math.round(item.durationMs) }));
      }
      return answers;
    },
    // The next claim of messages is a synced commit, so it also puts these results on disk. Until then, a power cut has
    // the same effect as a kill: some messages are sent again.
    { durable: false, maxItems },
  );
}
