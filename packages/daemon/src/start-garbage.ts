/** Collecting a larger heap would block the event loop for too long. */
const mostCollectedBytes = 32 * 1024 * 1024;

/**
 * Returns the memory of the start to the system. An idle server would keep it for hours: a sixth of its memory.
 *
 * V8 shows its collector only under a flag. The flag is not set at the start, because Node would then compile all its own
 * modules again instead of taking them from its cache. So it is also reset at once.
 */
export async function collectStartGarbage(heapBytes: number): Promise<void> {
  if (heapBytes > mostCollectedBytes) return;
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
