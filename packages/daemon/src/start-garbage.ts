import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Collecting a larger heap would block the event loop for too long. */
const mostCollectedBytes = 32 * 1024 * 1024;
const measuredMs = 100;
/** The process is idle if its event loop was busy for at most this part of `measuredMs`. */
const idleShare = 0.1;

/**
 * Returns the memory of the start to the system. An idle server would keep that memory, a sixth of its total, for
 * hours.
 *
 * There are two collections, each in its own turn of the event loop. Each blocks the loop for less time than a single
 * one would. Each waits until the process is idle, and for at least `afterMs`, because even a short collection would
 * delay pings. The wait keeps no process running.
 *
 * V8 shows its collector only under a flag. If the flag were set at the start, Node would compile all its own modules
 * again instead of taking them from its cache. For the same reason the flag is reset at once.
 */
export async function collectStartGarbage(afterMs: number): Promise<void> {
  const { getHeapStatistics, setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  for (const flavor of ['regular', 'last-resort'] as const) {
    await idle(afterMs);
    if (getHeapStatistics().used_heap_size > mostCollectedBytes) return;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor });
  }
}

async function idle(everyMs: number): Promise<void> {
  const options = { ref: false };
  for (;;) {
    await sleep(everyMs, undefined, options);
    const before = performance.eventLoopUtilization();
    await sleep(measuredMs, undefined, options);
    if (performance.eventLoopUtilization(before).utilization <= idleShare) return;
  }
}
