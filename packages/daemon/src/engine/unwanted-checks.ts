import type { Clock } from '../deps.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Claims } from './claims.ts';

/** Time between two searches for unwanted checks. */
const lookAfterMs = 250;

/**
 * Creates the function that ends running checks of monitors that were paused, deleted or edited after these checks
 * began, so that their slots are free soon. A search examines only checks that were already running during the
 * previous search.
 */
export function createUnwantedChecks(options: {
  clock: Clock;
  claims: Pick<Claims, 'unwanted'>;
  runner: Pick<CheckRunner, 'underWay' | 'abandon'>;
}): () => Promise<void> {
  const { clock, claims, runner } = options;
  let lookedMonoMs = clock.monotonicMs();
  let seen = new Map<number, number>();
  return async () => {
    if (clock.monotonicMs() - lookedMonoMs < lookAfterMs) return;
    const underWay = runner.underWay();
    const long = new Map([...underWay].filter(([monitor, generation]) => seen.get(monitor) === generation));
    seen = underWay;
    for (const monitor of await claims.unwanted(long)) runner.abandon(monitor, long.get(monitor)!);
    lookedMonoMs = clock.monotonicMs();
  };
}
