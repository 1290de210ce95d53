/**
 * Returns the results that a probe with too many results may delete. These are results between two of the same monitor
 * with the same verdict, and of these every second one. So each change of verdict keeps the result before it and the
 * one after it.
 */
export function thinnedOut(results: readonly { seq: number; monitor: number; verdict: string }[]): number[] {
  const gone: number[] = [];
  for (const run of Map.groupBy(results, ({ monitor }) => monitor).values()) {
    let keptNeighbour = true;
    for (const [at, { seq, verdict }] of run.entries()) {
      const isInside = run[at - 1]?.verdict === verdict && run[at + 1]?.verdict === verdict;
      if (isInside && keptNeighbour) gone.push(seq);
      keptNeighbour = !(isInside && keptNeighbour);
    }
  }
  return gone;
}
