import { retryDelayMs } from '../core/link-backoff.ts';
import type { Clock, Deps } from '../deps.ts';
import { maxResults, probeProtocol } from '../probe-protocol.ts';
import { wait } from '../wait.ts';
import { type Link, Refused } from './link.ts';
import type { ResultQueue } from './result-queue.ts';

/** Results are gathered for this time before they are sent, so that many travel in one request. */
const gatherMs = 100;
/** Results that repeat the previous verdict are gathered for this much longer, so that there are fewer requests. */
const quietMs = 900;
/** A stopping probe tries to send its waiting results for this time at most. */
const maxFlushMs = 3000;
/** Time between two calls of `queue.thin`, which limits the size of the queue. */
const thinAfterMs = 10_000;

/** After results were lost, the probe reports a fault for this long. */
const lostForMs = 600_000;
/** After a batch was too large for a proxy, the probe sends no larger batch for this long. */
const tooLargeForMs = 60_000;

const refusedFault =
  'The server refuses results of this probe, and they are lost. The log of the probe has the reason.';

/** Sends the waiting results to the server, in order. */
export interface Sending {
  /**
   * Starts the sending. Call it when there are new results, or when the server answers again. Without `isUrgent`, the
   * results may wait a little for more results.
   */
  wake(isUrgent?: boolean): void;
  /** Sends the waiting results. Gives up if the server does not accept them soon. */
  flush(): Promise<void>;
  /** Why results are lost, if the server refused a result in the last ten minutes; otherwise null. */
  fault(): string | null;
  close(): Promise<void>;
}

export interface SendingOptions {
  link: Link;
  queue: ResultQueue;
  probe: string;
  /** A random name of this process: see probe-protocol.ts. */
  run: string;
  /** Whether the server has answered a sync call of this process. Before that, it refuses results. */
  hasJoined: () => boolean;
  stopping: AbortSignal;
}

export function startSending({ clock, log, random }: Deps, options: SendingOptions): Sending {
  const { queue, hasJoined, stopping } = options;
  let woken = new AbortController();
  const flushing = new AbortController();
  let cancelQuiet: (() => void) | null = null;
  const wakeNow = () => {
    cancelQuiet?.();
    cancelQuiet = null;
    woken.abort();
  };
  const losses = createLosses(clock);
  const limitQueue = createQueueLimit({ clock, log }, queue);
  let failures = 0;
  const tools = { log, losses, size: createBatchSize(clock), limitQueue, onTaken: () => void (failures = 0) };
  const sendAll = (signal: AbortSignal) => sendWaiting(tools, options, signal);

  const run = async () => {
    let retryAfterMs: number | null = null;
    while (!stopping.aborted && !flushing.signal.aborted) {
      const signal = AbortSignal.any([woken.signal, stopping]);
      try {
        if (hasJoined()) await sendAll(stopping);
        failures = 0;
      } catch (error) {
        if (stopping.aborted) return;
        failures++;
        retryAfterMs = error instanceof Refused ? error.retryAfterMs : null;
        if (failures === 1) log.warn({ err: error }, 'results wait, because the server does not accept them');
      }
      await limitQueue();
      if (failures > 0) await wait(clock, retryAfterMs ?? retryDelayMs(failures, random), stopping);
      else await wait(clock, thinAfterMs, signal);
      if (woken.signal.aborted) {
        woken = new AbortController();
        if (!flushing.signal.aborted) await wait(clock, gatherMs, stopping);
      }
    }
  };
  const running = run();

  return {
    wake: (isUrgent = true) => (isUrgent ? wakeNow() : void (cancelQuiet ??= clock.after(quietMs, wakeNow))),
    async flush() {
      flushing.abort();
      wakeNow();
      const late = new AbortController();
      const cancel = clock.after(maxFlushMs, () => late.abort());
      try {
        if (hasJoined()) await sendAll(AbortSignal.any([stopping, late.signal]));
      } catch (error) {
        log.warn({ err: error }, 'some results could not be sent; they are sent after the next start');
      } finally {
        cancel();
      }
    },
    fault: losses.fault,
    close() {
      cancelQuiet?.();
      return running;
    },
  };
}

/** Remembers when and why results were last lost. */
function createLosses(clock: Pick<Clock, 'monotonicMs'>) {
  let last = { fault: '', atMonoMs: -Infinity };
  return {
    note: (fault: string) => void (last = { fault, atMonoMs: clock.monotonicMs() }),
    fault: () => (clock.monotonicMs() - last.atMonoMs < lostForMs ? last.fault : null),
  };
}
type Losses = ReturnType<typeof createLosses>;

/** Returns a function that limits the size of the queue. It does nothing if its last call was a short time ago. */
function createQueueLimit({ clock, log }: Pick<Deps, 'clock' | 'log'>, queue: ResultQueue) {
  let thinnedMonoMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - thinnedMonoMs <= thinAfterMs) return;
    thinnedMonoMs = clock.monotonicMs();
    try {
      await queue.thin();
    } catch (error) {
      log.error({ err: error }, 'the number of waiting results could not be limited; the probe tries again');
    } finally {
      thinnedMonoMs = clock.monotonicMs();
    }
  };
}

/** Decides how many results a batch may have, so that it passes a proxy that refuses large requests. */
function createBatchSize(clock: Pick<Clock, 'monotonicMs'>) {
  let maxInBatch = maxResults;
  /** The size of the largest batch that passed. It starts again at 0 if a batch of at most this size is refused. */
  let passed = 0;
  let refused = { size: Infinity, atMonoMs: -Infinity };
  /** A size between the passed and the refused size, so that a few tries find the largest size that passes. */
  const between = () => Math.max(1, Math.floor((passed + refused.size) / 2));
  return {
    maxInBatch: () => maxInBatch,
    onRefused(size: number) {
      if (passed >= size) passed = 0;
      refused = { size, atMonoMs: clock.monotonicMs() };
      maxInBatch = between();
    },
    onPassed(size: number) {
      passed = Math.max(passed, size);
      const isOver = size >= refused.size || clock.monotonicMs() - refused.atMonoMs > tooLargeForMs;
      if (isOver) refused = { size: Infinity, atMonoMs: -Infinity };
      maxInBatch = Math.max(maxInBatch, Math.min(refused.size === Infinity ? size * 2 : between(), maxResults));
    },
  };
}

interface SendingTools {
  log: Deps['log'];
  losses: Losses;
  size: ReturnType<typeof createBatchSize>;
  limitQueue: () => Promise<void>;
  /** Called after each batch that the server took. */
  onTaken: () => void;
}

/** Sends results until none waits. Throws if the server does not answer or refuses the probe. */
async function sendWaiting(
  { log, losses, size, limitQueue, onTaken }: SendingTools,
  { link, queue, probe, run }: SendingOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let maxNext = maxResults; ;) {
    const results = (await queue.next()).slice(0, Math.min(maxNext, size.maxInBatch()));
    if (results.length === 0 || signal.aborted) return;
    try {
      const { applied, ignored } = await link.sendResults({ protocol: probeProtocol, probe, run, results }, signal);
      if (ignored > 0)
        log.warn({ ignored }, 'the server ignored results, for example of monitors that were edited or removed');
      await queue.drop(applied);
      size.onPassed(results.length);
      onTaken();
      maxNext = maxResults;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!error.isAboutResults) {
        if (error.isTooLarge) size.onRefused(results.length);
        throw error;
      }
      // Sends smaller batches until the result that the server refuses is found. If this result stayed in the queue,
      // it would block all later results.
      maxNext = Math.floor(results.length / 2);
      if (results.length > 1) continue;
      log.error({ err: error, result: results[0] }, 'the server refuses a result, which is dropped');
      losses.note(refusedFault);
      await queue.drop(results[0]!.seq);
      maxNext = maxResults;
    }
    // Results may arrive faster than the server takes them.
    await limitQueue();
  }
}
