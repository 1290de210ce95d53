import type { Store } from '../store/store.ts';

/** Monitors that one query asks about. */
const asked = 500;

/**
 * Of these monitors, by the generation that their checks began with, those that nobody wants checked any more as they were:
 * deleted, paused, taken out of the region, or edited.
 */
export async function findUnwanted(
  db: Store['db'],
  region: number,
  checked: ReadonlyMap<number, number>,
): Promise<number[]> {
  const monitors = [...checked.keys()];
  const wanted = new Set<number>();
  for (let at = 0; at < monitors.length; at += asked) {
    const rows = await db
      .selectFrom('schedule')
      .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
      .select(['monitor.seq', 'monitor.generation'])
      .where('schedule.region', '=', region)
      .where('schedule.monitor', 'in', monitors.slice(at, at + asked))
      .execute();
    for (const { seq, generation } of rows) if (generation === checked.get(seq)) wanted.add(seq);
  }
  return monitors.filter((monitor) => !wanted.has(monitor));
}
