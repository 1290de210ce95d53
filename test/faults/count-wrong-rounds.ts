import { phaseOf } from '../../packages/daemon/src/core/schedule.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { allResults } from '../../packages/daemon/src/testing/all-results.ts';

/**
 * Counts the intervals in which no check began (`missed`), and the intervals in which several checks began (`doubled`).
 * Looks only at monitors with the interval `intervalMs`. Each of them is due once in every interval, at a fixed offset.
 */
export async function countWrongRounds(
  store: Store,
  { from, until, intervalMs }: { from: number; until: number; intervalMs: number },
): Promise<{ missed: number; doubled: number }> {
  const wrong = { missed: 0, doubled: 0 };
  const results = Map.groupBy(await allResults(store), ({ monitor }) => monitor);
  const scheduled = await store.db
    .selectFrom('schedule')
    .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
    .select(['schedule.monitor', 'schedule.region', 'monitor.config'])
    .execute();
  for (const { monitor, region, config } of scheduled) {
    if ((JSON.parse(config) as { interval: number }).interval * 1000 !== intervalMs) continue;
    const phase = phaseOf(monitor, region, intervalMs);
    const roundAt = (at: number) => Math.floor((at - phase) / intervalMs);
    // A result has the time of the check's end, so the duration is subtracted. One millisecond corrects for rounding.
    const rounds = Map.groupBy(results.get(monitor) ?? [], ({ at, tenths }) => roundAt(at - (tenths ?? 0) / 10 + 1));
    for (let round = roundAt(from) + 1; round < roundAt(until); round++) {
      const checks = rounds.get(round)?.length ?? 0;
      if (checks === 0) wrong.missed++;
      if (checks > 1) wrong.doubled++;
    }
  }
  return wrong;
}
