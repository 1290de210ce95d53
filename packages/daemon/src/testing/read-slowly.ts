import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Number of bytes between two pauses. */
const piece = 2_000_000;

/** Reads all of a stream, and pauses for `pauseMs` after each two megabytes. Returns the number of bytes. */
export async function readSlowly(stream: Readable, pauseMs: number): Promise<number> {
  let taken = 0;
  let next = 0;
  for await (const chunk of stream) {
    taken += (chunk as Buffer).length;
    if (taken < next) continue;
    next += piece;
    await sleep(pauseMs);
  }
  return taken;
}
