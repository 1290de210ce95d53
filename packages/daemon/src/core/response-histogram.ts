/** Buckets grow by a tenth, so a percentile read from them is within 5 % of the true one. */
const growth = Math.log(1.1);

/** The bucket of a response time in tenths of a millisecond. */
export const bucketOf = (tenths: number): number => Math.round(Math.log(Math.max(1, tenths)) / growth);

/** The middle of a bucket, in tenths of a millisecond. */
export const middleOf = (bucket: number): number => Math.exp(bucket * growth);

/**
 * Returns the response time, in tenths of a millisecond, that the given share of the counted checks did not exceed.
 * Null if no checks were counted.
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
