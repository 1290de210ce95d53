import type { Deps } from '../deps.ts';

/** A recurring task. It never overlaps itself, and a failure is logged and retried. */
export interface Loop {
  /** Stops after the current run. */
  stop(): Promise<void>;
  /** Runs again within this many milliseconds, but after the current run. */
  wake(within: number): void;
  /** Milliseconds since its last run succeeded; 0 while it runs. */
  idleFor(): number;
  /** Milliseconds since the current run began; 0 if there is none. */
  runningFor(): number;
}

/** A loop whose stop lets messages being sent finish, for `stopGraceMs` at most and until `hurry` is called. */
export interface HurriedLoop extends Loop {
  /** A stop waits no longer: running attempts are aborted, and repeated after the next start. */
  hurry(): void;
}

/** Milliseconds that messages being sent have to finish when the daemon stops. */
export const stopGraceMs = 10_000;

/** Milliseconds after which a failed run is retried. */
const retryAfter = 1000;

/**
 * Starts a loop. `run` returns in how many milliseconds it wants to run again. `first` is when it runs first. This is
 * the engine's only timer.
 */
export function startLoop(
  deps: Pick<Deps, 'clock' | 'log'>,
  name: string,
  run: () => Promise<number>,
  first = 0,
): Loop {
  const { clock, log } = deps;
  let cancel = () => {};
  let running: Promise<void> | null = null;
  let stopped = false;
  let lastEnd = clock.monotonic();
  let begunAt = lastEnd;
  let nextAt = lastEnd + first;
  let woken = Infinity;

  const turn = async () => {
    let wait = retryAfter;
    try {
      wait = await run();
      lastEnd = clock.monotonic();
    } catch (error) {
      log.error({ loop: name, err: error }, `${name} failed and will be tried again`);
    }
    running = null;
    schedule(Math.min(wait, woken));
  };
  const begin = () => {
    woken = Infinity;
    begunAt = clock.monotonic();
    running = turn();
  };
  const schedule = (wait: number) => {
    if (stopped) return;
    nextAt = clock.monotonic() + wait;
    cancel = clock.after(wait, begin);
  };
  schedule(first);

  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
    wake(within) {
      if (running) woken = Math.min(woken, within);
      else if (clock.monotonic() + within < nextAt) {
        cancel();
        schedule(within);
      }
    },
    idleFor: () => (running ? 0 : clock.monotonic() - lastEnd),
    runningFor: () => (running ? clock.monotonic() - begunAt : 0),
  };
}
