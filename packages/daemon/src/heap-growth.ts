import { setTimeout as sleep } from 'node:timers/promises';

/** How much the heap may grow between two garbage collections, in percent of its size after the first of them. */
const mostGrowthPercent = 30;

/**
 * After `afterMs`, makes V8 collect garbage before the heap has grown by a third. By default V8 lets a small heap grow
 * to about four times its size. With 5,000 monitors, that default took up to 70 MB, and saved little time.
 *
 * The wait does not keep the process running. The flag is not set earlier, because V8 would then refuse the stored
 * compiled code of Node's modules and of the server (scripts/build/node-flags.ts). V8 refuses it only for modules that
 * load after the wait.
 */
export async function limitHeapGrowth(afterMs: number): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  await sleep(afterMs, undefined, { ref: false });
  setFlagsFromString(`--heap-growing-percent=${mostGrowthPercent}`);
}
