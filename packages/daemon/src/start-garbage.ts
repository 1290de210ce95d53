import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Larger heaps are not collected, because that would block the event loop for too long. */
const maxCollectedBytes = 32 * 1024 * 1024;
/** The load of the event loop is measured for this time. */
const measuredMs = 100;
/** The process is idle if its event loop was busy for at most this part of `measuredMs`. */
const idleShare = 0.1;

/**
 * Collects garbage, so that the system gets back the memory that only the start needed. Otherwise an idle server would
 * keep this memory, a sixth of its total, for hours.
 *
 * There are two collections, each in its own turn of the event loop. Each of them blocks the loop for a shorter time
 * than one large collection would. Each collection waits for at least `afterMs` and until the process is idle, because
 * even a short collection would delay pings. The wait does not keep the process running.
 *
 * A program can call V8's collector only if a flag is set. While the flag is set, Node compiles its own modules again
 * instead of taking them from its cache. So this function sets the flag only for a moment.
 */
export async function collectStartGarbage(afterMs: number): Promise<void> {
  const { getHeapStatistics, setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  for (const flavor of ['regular', 'last-resort'] as const) {
    await idle(afterMs);
    if (getHeapStatistics().used_heap_size > maxCollectedBytes) return;
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
