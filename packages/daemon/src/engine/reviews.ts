import type { Transaction } from 'kysely';
import { lastSeen } from '../alerting/last-seen.ts';
import { failedRoundUnfinished } from '../alerting/load-facts.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type Loop, startLoop } from './loop.ts';
import { restAfter } from './rest-after.ts';

/** Time between two runs of the loop if no review is due. */
const pollIntervalMs = 1000;
/** Time between two runs of the loop while more reviews are due. */
const moreIsDueMs = 250;
const maxReviewsAtOnce = 100;
/** After reviewing for this long, the loop lets other work run: see `restAfter`. */
const sliceMs = 4;
/** Maximum number of reviews of one monitor in one run of the loop. Each review writes a limited number of alerts. */
const maxRounds = 40;

/**
 * Reviews the alerts of monitors whose review is due. A review is due after a threshold or an expiry has passed, after
 * an edit of a rule, or if an earlier review had too many alerts for one transaction.
 *
 * Alarms depend on this loop, so it must not wait for other servers, such as registries.
 */
export function startReviews(deps: Pick<Deps, 'clock' | 'log'>, store: Store): Loop {
  const { clock } = deps;
  return startLoop(deps, 'reviews', async (stopping) => {
    const due = await store.db
      .selectFrom('monitor_state')
      .select('monitor')
      .where('expiry_review_at', '<=', clock.now())
      .orderBy('expiry_review_at')
      .limit(maxReviewsAtOnce)
      .execute();
    const rest = restAfter(clock, sliceMs, stopping);
    const unfinished = await reviewAll(
      due.map(({ monitor }) => monitor),
      async (monitor) => {
        await rest();
        return store.write((trx) => reviewDue(trx, monitor, clock.now()));
      },
      stopping,
    );
    return unfinished || due.length === maxReviewsAtOnce ? moreIsDueMs : pollIntervalMs;
  });
}

/**
 * Reviews each monitor again and again until its review is finished, but at most `maxRounds` times. A monitor with
 * thousands of alerts needs many short transactions, so that pings are recorded in between. Resolves with whether a
 * review is unfinished.
 */
async function reviewAll(
  monitors: readonly number[],
  reviewOne: (monitor: number) => Promise<boolean>,
  stopping: AbortSignal,
): Promise<boolean> {
  let left = monitors;
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    const unfinished: number[] = [];
    for (const monitor of left) {
      if (stopping.aborted) return false;
      if (!(await reviewOne(monitor))) unfinished.push(monitor);
    }
    left = unfinished;
  }
  return left.length > 0;
}

/**
 * Reviews a monitor, and sets when the next review is due. A monitor without rules is not due again. Resolves with
 * whether the review is finished.
 */
export async function reviewDue(trx: Transaction<Tables>, monitor: number, now: number): Promise<boolean> {
  const state = await trx
    .selectFrom('monitor_state')
    .select('expiry_review_at')
    .where('monitor', '=', monitor)
    .executeTakeFirst();
  const afterFailure = state?.expiry_review_at === failedRoundUnfinished;
  const details = afterFailure ? await lastSeen(trx, monitor, { until: now, failed: true }) : null;
  if (!(await reviewAlerts(trx, monitor, { at: now, ...(details && { details }) }))) return false;
  await trx
    .updateTable('monitor_state')
    .set({ expiry_review_at: null })
    .where('monitor', '=', monitor)
    .where('expiry_review_at', '<=', now)
    .execute();
  return true;
}
