import { bucketCount, bucketOf, digestOf, type Versions } from './core/version-buckets.ts';
import { nextTurn } from './wait.ts';

/** A long job lets other work run after each group of this many monitors. One group takes a few milliseconds. */
export const maxMonitorsAtOnce = 2000;

/** Says when a long job over many monitors must let other work run. */
export interface Pieces {
  /** Counts monitors. Returns true if the caller must let other work run now. */
  add(monitors: number): boolean;
}

export function startPieces(): Pieces {
  let done = 0;
  return {
    add(monitors) {
      done += monitors;
      if (done < maxMonitorsAtOnce) return false;
      done = 0;
      return true;
    },
  };
}

/** The monitors in their buckets, and the digest of each bucket. */
export interface DigestedVersions {
  buckets: readonly Versions[];
  digests: readonly string[];
}

/** Divides monitors into buckets, and computes the digests. Lets other work run after each group of monitors. */
export async function digestVersions(versions: Versions): Promise<DigestedVersions> {
  const pieces = startPieces();
  const buckets = Array.from({ length: bucketCount }, () => new Map<number, string>());
  for (const [monitor, version] of versions) {
    buckets[bucketOf(monitor)]!.set(monitor, version);
    if (pieces.add(1)) await nextTurn();
  }
  const digests = [];
  for (const bucket of buckets) {
    digests.push(digestOf(bucket));
    if (pieces.add(bucket.size)) await nextTurn();
  }
  return { buckets, digests };
}
