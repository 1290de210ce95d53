import { retryDelayMs } from '../core/link-backoff.ts';
import type { Clock, Deps } from '../deps.ts';
import { mostResults, probeProtocol } from '../probe-protocol.ts';
import { wait } from '../wait.ts';
import { type Link, Refused } from './link.ts';
import type { ResultQueue } from './result-queue.ts';

/** Results are gathered for this time before they are sent, so that many travel in one request. */
const gatherMs = 100;
/** Results that repeat the previous verdict are gathered for this much longer, so that there are fewer requests. */
const quietMs = 900;
/** A stopping probe tries to send its waiting results for this time at most. */
const flushMs = 3000;
/** Time between two calls of `queue.thin`, which limits the size of the queue. */
const thinAfterMs = 10_000;

/** After the server refused a result, the probe reports a fault for this long. */
const refusedForMs = 600_000;

/** Sends the waiting results to the server, in order. */
export interface Sending {
  /**
   * Starts the sending. Call it when there are new results, or when the server answers again. Without `isUrgent`, the
   * results may wait a little for more results.
   */
  wake(isUrgent?: boolean): void;
  /** Sends the waiting results. Gives up if the server does not accept them soon. */
  flush(): Promise<void>;
  /** Why results are lost, if the server refused one in the last ten minutes; otherwise null. */
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
  let thinnedAt = clock.monotonicMs();
  const refusals = createRefusals(clock);
  const sendAll = (signal: AbortSignal) => sendWaiting({ log }, { ...options, onRefused: refusals.note }, signal);

  const run = async () => {
    let failures = 0;
    while (!stopping.aborted && !flushing.signal.aborted) {
      const signal = AbortSignal.any([woken.signal, stopping]);
      try {
        if (hasJoined()) await sendAll(stopping);
        failures = 0;
      } catch (error) {
        if (stopping.aborted) return;
        failures++;
        if (failures === 1) log.warn({ err: error }, 'results wait, because the server does not accept them');
      }
      if (clock.monotonicMs() - thinnedAt > thinAfterMs) {
        await queue.thin();
        thinnedAt = clock.monotonicMs();
      }
      if (failures > 0) await wait(clock, retryDelayMs(failures, random), stopping);
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
      const cancel = clock.after(flushMs, () => late.abort());
      try {
        if (hasJoined()) await sendAll(AbortSignal.any([stopping, late.signal]));
      } catch (error) {
        log.warn({ err: error }, 'some results could not be sent; they are sent after the next start');
      } finally {
        cancel();
      }
    },
    fault: refusals.fault,
    close() {
      cancelQuiet?.();
      return running;
    },
  };
}

/** Remembers when the server last refused a result. */
function createRefusals(clock: Pick<Clock, 'monotonicMs'>) {
  let refusedAt = -Infinity;
  return {
    note: () => void (refusedAt = clock.monotonicMs()),
    fault: () =>
      clock.monotonicMs() - refusedAt < refusedForMs
        ? 'The server refuses results of this probe, and they are lost. The log of the probe has the reason.'
        : null,
  };
}

/** Sends results until none waits. Throws if the server does not answer or refuses the probe. */
async function sendWaiting(
  { log }: Pick<Deps, 'log'>,
  { link, queue, probe, run, onRefused }: SendingOptions & { onRefused: () => void },
  signal: AbortSignal,
): Promise<void> {
  for (let most = mostResults; ;) {
    const results = (await queue.next()).slice(0, most);
    if (results.length === 0 || signal.aborted) return;
    try {
      const { applied, ignored } = await link.sendResults({ protocol: probeProtocol, probe, run, results }, signal);
      if (ignored > 0) log.warn({ ignored }, 'the server ignored results, for example of monitors that it removed');
      await queue.drop(applied);
      most = mostResults;
    } catch (error) {
      if (!isAboutBody(error)) throw error;
      // Sends smaller batches until the result that the server refuses is found. If it stayed in the queue, it would
      // block all later results.
      most = Math.floor(results.length / 2);
      if (results.length > 1) continue;
      log.error({ err: error, result: results[0] }, 'the server refuses a result, which is dropped');
      onRefused();
      await queue.drop(results[0]!.seq);
      most = mostResults;
    }
  }
}

/**
 * Whether the server refused the content of the request. Otherwise it refused the sender, or could not serve the
 * request.
 */
const isAboutBody = (error: unknown): boolean => error instanceof Refused && [400, 413].includes(error.status);
