import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { CheckRunner } from './check-runner.ts';

/** Monitors in one query. */
const asked = 500;
/** Time between two looks. */
const lookAfterMs = 250;

/**
 * Ends checks that hang on a target which was paused, deleted or edited meanwhile, so that their places are free soon.
 * It asks only about checks that two looks found.
 */
export function createUnwantedChecks(options: {
  db: Store['db'];
  clock: Clock;
  region: number;
  runner: Pick<CheckRunner, 'underWay' | 'abandon'>;
}): () => Promise<void> {
  const { db, clock, region, runner } = options;
  let lookedAt = clock.monotonicMs();
  let seen = new Map<number, number>();
  return async () => {
    if (clock.monotonicMs() - lookedAt < lookAfterMs) return;
    const underWay = runner.underWay();
    const long = new Map([...underWay].filter(([monitor, generation]) => seen.get(monitor) === generation));
    seen = underWay;
    for (const monitor of await findUnwanted(db, region, long)) runner.abandon(monitor, long.get(monitor)!);
    lookedAt = clock.monotonicMs();
  };
}

/**
 * Finds those of these monitors whose running checks are no longer wanted. They were deleted, paused, removed from the
 * region, or edited to another generation.
 */
async function findUnwanted(db: Store['db'], region: number, checked: ReadonlyMap<number, number>): Promise<number[]> {
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
