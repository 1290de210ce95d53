import type { Deps } from '../deps.ts';

/** A recurring task. It never overlaps itself, and a failure is logged and retried. */
export interface Loop {
  /** Stops after the current run, whose signal it aborts. */
  stop(): Promise<void>;
  /** Runs again within this time, but after the current run. */
  wake(withinMs: number): void;
  /** Time since its last run succeeded; 0 while it runs. */
  idleForMs(): number;
  /** Time since the first of the failures that no success followed; 0 if the last run succeeded. */
  failingForMs(): number;
  /** Time since the current run began; 0 if there is none. */
  runningForMs(): number;
}

/**
 * A loop whose stop waits for messages that are being sent: for `stopGraceMs` at most, or until `interrupt` is called.
 */
export interface InterruptibleLoop extends Loop {
  /** Ends the wait of a stop: running attempts are aborted, and repeated after the next start. */
  interrupt(): void;
}

/** Time that messages being sent have to finish when the daemon stops. */
export const stopGraceMs = 10_000;

/** Time after which a failed run is retried. */
const retryAfterMs = 1000;

/**
 * Starts a loop. `run` returns in how many milliseconds it wants to run again. A stop aborts the signal that it gets.
 * `first` is when it runs first, and `retryMs` the time after which a failed run is retried. This is the engine's only
 * timer.
 */
export function startLoop(
  deps: Pick<Deps, 'clock' | 'log'>,
  name: string,
  run: (stopping: AbortSignal) => Promise<number>,
  first = 0,
  retryMs = retryAfterMs,
): Loop {
  const { clock, log } = deps;
  const stopping = new AbortController();
  let cancel = () => {};
  let running: Promise<void> | null = null;
  let lastEnd = clock.monotonicMs();
  let begunAt = lastEnd;
  let nextAt = lastEnd + first;
  let failingSince: number | null = null;
  let woken = Infinity;

  const turn = async () => {
    let wait = retryMs;
    try {
      wait = await run(stopping.signal);
      lastEnd = clock.monotonicMs();
      failingSince = null;
    } catch (error) {
      failingSince ??= clock.monotonicMs();
      log.error({ loop: name, err: error }, `${name} failed and will be tried again`);
    }
    running = null;
    schedule(Math.min(wait, woken));
  };
  const begin = () => {
    woken = Infinity;
    begunAt = clock.monotonicMs();
    running = turn();
  };
  const schedule = (wait: number) => {
    if (stopping.signal.aborted) return;
    nextAt = clock.monotonicMs() + wait;
    cancel = clock.after(wait, begin);
  };
  schedule(first);

  return {
    async stop() {
      stopping.abort();
      cancel();
      await running;
    },
    wake(withinMs) {
      if (running) woken = Math.min(woken, withinMs);
      else if (clock.monotonicMs() + withinMs < nextAt) {
        cancel();
        schedule(withinMs);
      }
    },
    idleForMs: () => (running ? 0 : clock.monotonicMs() - lastEnd),
    failingForMs: () => (failingSince === null ? 0 : clock.monotonicMs() - failingSince),
    runningForMs: () => (running ? clock.monotonicMs() - begunAt : 0),
  };
}
