import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Number of bytes between two waits. */
const piece = 2_000_000;

/** Reads all of a stream, and waits for `waitMs` after each two megabytes. Returns the number of bytes. */
export async function readSlowly(stream: Readable, waitMs: number): Promise<number> {
  let taken = 0;
  let next = 0;
  for await (const chunk of stream) {
    taken += (chunk as Buffer).length;
    if (taken < next) continue;
    next += piece;
    await sleep(waitMs);
  }
  return taken;
}
