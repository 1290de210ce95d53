import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How much the heap may grow until the next garbage collection, in percent of its size after the last one. A busy
 * process creates garbage quickly. With the lower limit, it would collect so often that the saved memory is not worth
 * the time.
 */
const growthPercent = { usual: 50, whenBusy: 100 };
/** The process is busy if its event loop was busy for more than this part of `measuredMs`. */
const busyShare = 0.25;
const measuredMs = 3000;
/**
 * At first, V8 would let the heap of a busy server grow by more than 100 MB before it collects garbage. With this
 * value, V8 collects when the heap has grown by a tenth of that amount.
 */
const firstTriggerPercent = 10;

/**
 * After `afterMs`, makes V8 collect garbage before the heap has grown by half, or has doubled in a busy process. By
 * default V8 lets a small heap grow to about four times its size. With 5,000 monitors, that default took up to 70 MB,
 * and saved little time.
 *
 * Also turns off allocation-site pretenuring. With it, V8 watches the objects that a line of code creates. If they
 * often survive the collections of new objects, V8 creates the next ones as old objects. But most survivors belong to
 * connections that close soon. They survive because of Node's streams: `WritableState` assigns a new function to a
 * property, and V8 creates such a function as an old object. An old object, and everything that it refers to, stays in
 * memory until the next full collection.
 *
 * The timers do not keep the process running. The flags are not set earlier, because V8 would then refuse the stored
 * compiled code of Node's modules and of the server (scripts/build/node-flags.ts). After the wait, V8 refuses that code
 * only for modules that load later.
 */
export async function limitHeapGrowth(afterMs: number): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  await sleep(afterMs, undefined, { ref: false });
  setFlagsFromString(`--heap-growing-percent=${growthPercent.usual}`);
  setFlagsFromString(`--incremental-marking-soft-trigger=${firstTriggerPercent}`);
  setFlagsFromString('--no-allocation-site-pretenuring');
  afterFirstCollection(() => {
    // From now on, V8 knows the size of the live data, and only `heap-growing-percent` decides when V8 collects.
    setFlagsFromString('--incremental-marking-soft-trigger=0');
  });
  void followLoad();
}

/** Returns how much the heap may grow if the event loop is busy for this part of the time. */
export const growthPercentAt = (utilization: number): number =>
  utilization > busyShare ? growthPercent.whenBusy : growthPercent.usual;

async function followLoad(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  for (;;) {
    const before = performance.eventLoopUtilization();
    await sleep(measuredMs, undefined, { ref: false });
    const { utilization } = performance.eventLoopUtilization(before);
    // V8 uses the new percentage from its next collection on.
    setFlagsFromString(`--heap-growing-percent=${growthPercentAt(utilization)}`);
  }
}

/** Calls `then` once V8 has collected the garbage of its old generation. */
function afterFirstCollection(then: () => void): void {
  const { NODE_PERFORMANCE_GC_MAJOR } = constants;
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as unknown as { detail: { kind: number } }[];
    if (!entries.some(({ detail }) => detail.kind === NODE_PERFORMANCE_GC_MAJOR)) return;
    observer.disconnect();
    then();
  });
  observer.observe({ entryTypes: ['gc'] });
}
