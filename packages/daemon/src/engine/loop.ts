import type { Deps } from '../deps.ts';

/**
 * A task that runs again and again. Its runs never overlap. If a run fails, the failure is logged, and the run is
 * retried.
 */
export interface Loop {
  /** Stops the loop after the current run, and aborts the signal of that run. */
  stop(): Promise<void>;
  /** Makes the next run begin within this time, but not before the current run ends. */
  wake(withinMs: number): void;
  /** Time since the last run of the loop succeeded; 0 during a run. */
  idleForMs(): number;
  /** Time since the runs of the loop began to fail; 0 if the last run succeeded. */
  failingForMs(): number;
  /** Time since the current run began; 0 if no run is going on. */
  runningForMs(): number;
}

/**
 * A loop whose `stop` waits for messages that are being sent: for `stopGraceMs` at most, or until `interrupt` is
 * called.
 */
export interface InterruptibleLoop extends Loop {
  /** Lets `stop` end at once. Running attempts are aborted, and repeated after the next start. */
  interrupt(): void;
}

/** When the daemon stops, messages that are being sent get this time to arrive. */
export const stopGraceMs = 10_000;

/** Time after which a failed run is retried. */
const retryAfterMs = 1000;

/**
 * If a loop polls, its runs begin at multiples of this time on the monotonic clock. So the loops of an idle daemon wake
 * the process together, which costs less than many separate wakes. A wait counts as a poll if it is longer than this
 * time, and a multiple of this time. Other waits are exact: they end at a deadline, or only let other work run.
 */
const sharedWakeMs = 250;
/** Timers may fire this much early. */
const timerErrorMs = 3;

/**
 * Returns how long a loop waits if it asks for `askedMs` at this monotonic time. A poll begins earlier than asked, or
 * at most `timerErrorMs` later.
 */
function waitOf(askedMs: number, nowMonoMs: number): number {
  if (askedMs <= sharedWakeMs || askedMs % sharedWakeMs !== 0) return askedMs;
  return askedMs - ((nowMonoMs + timerErrorMs) % sharedWakeMs) + timerErrorMs;
}

/**
 * Starts a loop. `run` resolves with the milliseconds until the next run. A stop aborts the signal that `run` gets. The
 * first run begins after `firstMs`. A failed run is retried after `retryMs`.
 */
export function startLoop(
  deps: Pick<Deps, 'clock' | 'log'>,
  name: string,
  run: (stopping: AbortSignal) => Promise<number>,
  firstMs = 0,
  retryMs = retryAfterMs,
): Loop {
  const { clock, log } = deps;
  const stopping = new AbortController();
  let cancel = () => {};
  let running: Promise<void> | null = null;
  let lastEndMonoMs = clock.monotonicMs();
  let begunMonoMs = lastEndMonoMs;
  let nextMonoMs = lastEndMonoMs + firstMs;
  let failingSinceMonoMs: number | null = null;
  let wokenMs = Infinity;

  const turn = async () => {
    let waitMs = retryMs;
    try {
      waitMs = await run(stopping.signal);
      lastEndMonoMs = clock.monotonicMs();
      failingSinceMonoMs = null;
    } catch (error) {
      failingSinceMonoMs ??= clock.monotonicMs();
      log.error({ loop: name, err: error }, `${name} failed and will be tried again`);
    }
    running = null;
    schedule(Math.min(waitMs, wokenMs));
  };
  const begin = () => {
    wokenMs = Infinity;
    begunMonoMs = clock.monotonicMs();
    running = turn();
  };
  const schedule = (askedMs: number) => {
    if (stopping.signal.aborted) return;
    const nowMonoMs = clock.monotonicMs();
    const waitMs = waitOf(askedMs, nowMonoMs);
    nextMonoMs = nowMonoMs + waitMs;
    cancel = clock.after(waitMs, begin);
  };
  schedule(firstMs);

  return {
    async stop() {
      stopping.abort();
      cancel();
      await running;
    },
    wake(withinMs) {
      if (running) wokenMs = Math.min(wokenMs, withinMs);
      else if (clock.monotonicMs() + withinMs < nextMonoMs) {
        cancel();
        schedule(withinMs);
      }
    },
    idleForMs: () => (running ? 0 : clock.monotonicMs() - lastEndMonoMs),
    failingForMs: () => (failingSinceMonoMs === null ? 0 : clock.monotonicMs() - failingSinceMonoMs),
    runningForMs: () => (running ? clock.monotonicMs() - begunMonoMs : 0),
  };
}
