import { setTimeout as sleep } from 'node:timers/promises';

/** How much the heap may grow between two garbage collections, in percent of its size after the earlier one. */
const growthPercent = { ofSmallHeap: 50, ofLargeHeap: 100 };
/** A heap with more live data than this is large. About 10,000 monitors take this much. */
const smallHeapBytes = 28 * 1024 * 1024;
/** The heap is measured this often. The smallest of `measuredInWindow` sizes is about the size of the live data. */
const measuredEveryMs = 3000;
const measuredInWindow = 6;
/**
 * At first, V8 would let the heap of a busy server grow by more than 100 MB before it collects garbage. With this
 * value, V8 collects when the heap has grown by a tenth of that amount.
 */
const firstTriggerPercent = 10;

/**
 * After `afterMs`, makes V8 collect garbage before the heap has grown by half, or before a large heap has doubled. By
 * default V8 lets a small heap grow to about four times its size. With 5,000 monitors, that default took up to 70 MB,
 * and saved little time. A large heap belongs to a busy server. There, more collections would take more time than the
 * saved memory is worth.
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
  setFlagsFromString(`--heap-growing-percent=${growthPercent.ofSmallHeap}`);
  setFlagsFromString(`--incremental-marking-soft-trigger=${firstTriggerPercent}`);
  setFlagsFromString('--no-allocation-site-pretenuring');
  void followHeapSize();
}

async function followHeapSize(): Promise<void> {
  const { getHeapStatistics, setFlagsFromString } = await import('node:v8');
  for (;;) {
    let minBytes = Infinity;
    for (let measured = 0; measured < measuredInWindow; measured++) {
      await sleep(measuredEveryMs, undefined, { ref: false });
      minBytes = Math.min(minBytes, getHeapStatistics().used_heap_size);
    }
    const percent = minBytes > smallHeapBytes ? growthPercent.ofLargeHeap : growthPercent.ofSmallHeap;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
    // V8 has collected the heap by now, and knows the size of its live data. So from now on, only
    // `heap-growing-percent` decides when V8 collects.
    setFlagsFromString('--incremental-marking-soft-trigger=0');
  }
}
