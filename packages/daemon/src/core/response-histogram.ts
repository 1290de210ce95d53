/**
 * Each bucket is a tenth wider than the one before. So a percentile that is read from buckets is within 5 % of the true
 * percentile.
 */
const growth = Math.log(1.1);

/** Returns the bucket of a response time. `tenths` are tenths of a millisecond. */
export const bucketOf = (tenths: number): number => Math.round(Math.log(Math.max(1, tenths)) / growth);

/** Returns the middle of a bucket, in tenths of a millisecond. */
export const middleOf = (bucket: number): number => Math.exp(bucket * growth);

/**
 * Returns a percentile of response times, in tenths of a millisecond: the time that `share` of the counted checks did
 * not exceed. Returns null if no checks were counted.
 */
export function percentile(counts: readonly { bucket: number; count: number }[], share: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.ceil(total * share);
  for (const { bucket, count } of counts.toSorted((a, b) => a.bucket - b.bucket)) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}
