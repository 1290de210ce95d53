/**
 * Returns the numbers (`seq`) of the results that a probe with too many results may delete. It may delete a result
 * whose verdict is the same as that of the monitor's results before and after it. So the results before and after each
 * change of verdict are kept. In a long run of results with the same verdict, every second result is kept.
 */
export function deletableResults(results: readonly { seq: number; monitor: number; verdict: string }[]): number[] {
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
