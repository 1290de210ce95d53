import { isPassive } from '@uptime/sdk/contract';
import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { type Notice, nothingSeen } from '../channels/notice.ts';
import { type Successor, type KnownAlert, type Review, review, findSuccessors } from '../core/alerts.ts';
import type { Tables } from '../store/tables.ts';
import { lockMonitor } from '../stored-monitors/lock-monitor.ts';
import { findSuccessor } from './find-successor.ts';
import { alertsOpenNow, knownAlerts } from './known-alerts.ts';
import { lastSeen } from './last-seen.ts';
import {
  type ArrivedReport,
  failedRoundUnfinished,
  type LoadedFacts,
  loadFacts,
  reviewDueAtOnce,
} from './load-facts.ts';
import { moveAlert } from './move-alert.ts';
import { type Fired, openAlerts } from './open-alerts.ts';
import { type Resolution, resolveAlerts } from './resolve-alerts.ts';
import { type Watching, watchingRules } from './watching-rules.ts';

/**
 * Maximum number of alerts that one transaction opens, resolves or moves. Another review handles the remaining alerts.
 * The limit keeps the transaction short (a few milliseconds): on SQLite, no ping is recorded while it runs.
 *
 * The transaction never waits for another turn of the event loop. Under load, a turn is long, and on SQLite all other
 * writes would wait for the transaction during that turn.
 */
export const maxAlertsAtOnce = 32;

/** How many alerts the reviews of one transaction may still change. */
export interface ReviewBudget {
  left: number;
}

export const newReviewBudget = (): ReviewBudget => ({ left: maxAlertsAtOnce });

/** Why and when a monitor's alerts are reviewed. */
export interface Occasion {
  at: number;
  /** Whether a round has just failed. */
  failed?: boolean;
  /**
   * Set only if a probe's result caused the review: its region, and when it arrived. The review's `at` is then the
   * later of two times: the time of the result, and the last change of status. It may be much earlier than the arrival.
   */
  arrived?: ArrivedReport | undefined;
  /** The details of the check that caused the review. */
  details?: Notice['details'];
  /** The same object for all reviews of one transaction. */
  budget?: ReviewBudget;
}

/**
 * Makes a monitor's alerts agree with the monitor's state and rules. It opens and resolves alerts, and puts their
 * messages into the outbox. Call it in the transaction that changed the state or a rule. If nothing has changed, it
 * does nothing. Resolves with false if the budget was too small; then another review is due at once
 * (engine/reviews.ts).
 */
export async function reviewAlerts(
  trx: Transaction<Tables>,
  monitor: number,
  { at, failed = false, arrived, details = nothingSeen, budget = newReviewBudget() }: Occasion,
): Promise<boolean> {
  await lockMonitor(trx, monitor);
  const rules = await watchingRules(trx, monitor);
  const open = await alertsOpenNow(trx, monitor);
  if (rules.length === 0 && open.length === 0) return true;

  const loaded = await loadFacts(trx, monitor, { at, failed, arrived });
  const { facts, expiryReviewAt } = loaded;
  const known = await knownAlerts(trx, open, loaded);
  let found = review(facts, rules, known);
  const successors = await successorsOf(trx, loaded, findSuccessors(facts, known, found));
  if (successors.length > 0) found = review(facts, rules, known, successors);

  const isFinished = await applyReview(trx, loaded, { found, rules, known, details, budget });
  const unfinished = failed || expiryReviewAt.kept === failedRoundUnfinished ? failedRoundUnfinished : reviewDueAtOnce;
  const next = isFinished ? expiryReviewAt.next : unfinished;
  if (next !== expiryReviewAt.kept) {
    await trx.updateTable('monitor_state').set({ expiry_review_at: next }).where('monitor', '=', monitor).execute();
  }
  return isFinished;
}

interface Found {
  found: Review;
  rules: readonly Watching[];
  known: readonly KnownAlert[];
  details: Notice['details'];
  budget: ReviewBudget;
}

/** Writes the changes that a review found, up to the budget. Resolves with whether it wrote all of them. */
async function applyReview(
  trx: Transaction<Tables>,
  loaded: LoadedFacts,
  { found, rules, known, details, budget }: Found,
): Promise<boolean> {
  const { at } = loaded.facts;
  const ruleBySeq = new Map(rules.map((rule) => [rule.rule, rule]));
  const knownById = new Map(known.map((alert) => [alert.id, alert]));
  let isFinished = true;
  /** Returns the first changes, as many as the budget allows. Subtracts their number from the budget. */
  const affordable = <T>(changes: readonly T[]): readonly T[] => {
    const some = changes.slice(0, budget.left);
    budget.left -= some.length;
    if (some.length < changes.length) isFinished = false;
    return some;
  };
  await carryOver(trx, found.carryOver);
  for (const move of affordable(found.move)) await moveAlert(trx, { monitor: loaded.monitor.seq, ...move }, at);
  if (!isFinished) return false;

  const atEnd = await detailsAtEnd(trx, loaded, { resolve: found.resolve, details });
  const resolutions = affordable(found.resolve).map(({ alert, at: endedAt, reason }): Resolution => {
    const before = knownById.get(alert);
    const notifyOnRecovery = ruleBySeq.get(before?.rule ?? 0)?.notifyOnRecovery ?? false;
    const shown = reason === 'recovered' && before?.trigger === 'monitor_down' ? atEnd : details;
    return { alert, endedAt, reason, notifyOnRecovery, details: shown };
  });
  await resolveAlerts(trx, loaded.monitor, resolutions, { now: at, seen: loaded.seen });
  if (!isFinished) return false;

  const toOpen = affordable(found.fire).flatMap((fired): Fired[] => {
    const rule = ruleBySeq.get(fired.rule);
    return rule ? [{ fired, rule }] : [];
  });
  await openAlerts(trx, toOpen, loaded, details);
  return isFinished;
}

/**
 * Assigns a new outage to alerts that stay open. One statement updates all alerts of an outage, because there may be
 * many.
 */
async function carryOver(trx: Transaction<Tables>, alerts: Review['carryOver']): Promise<void> {
  for (const [subject, alike] of Map.groupBy(alerts, ({ subject }) => subject)) {
    const ids = alike.map(({ alert }) => alert);
    await trx.updateTable('alert').set({ subject }).where('id', 'in', ids).execute();
  }
}

/**
 * Resolves with the details of the check that found the monitor up. If a maintenance window postponed the recovery, the
 * details are read from the database.
 */
async function detailsAtEnd(
  trx: Transaction<Tables>,
  { monitor }: LoadedFacts,
  { resolve, details }: { resolve: Review['resolve']; details: Notice['details'] },
): Promise<Notice['details']> {
  const recovery = resolve.find(({ reason }) => reason === 'recovered');
  if (details !== nothingSeen || !recovery || isPassive(monitor)) return details;
  return (await lastSeen(trx, monitor.seq, { until: recovery.at, failed: false })) ?? nothingSeen;
}

/**
 * Requests a review of each monitor's alerts. The reviews are due at once. Each runs in its own transaction
 * (engine/reviews.ts).
 */
export async function reviewLater(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .set({ expiry_review_at: reviewDueAtOnce })
    .where('monitor', 'in', monitors)
    .where(mayBeSetDue)
    .execute();
}

/**
 * Returns a condition for monitors whose `expiry_review_at` may be overwritten to make their review due. The value
 * `failedRoundUnfinished` must stay: with it, the review is due at once anyway.
 */
export const mayBeSetDue = (row: ExpressionBuilder<Tables, 'monitor_state'>): Expression<SqlBool> =>
  row.or([row('expiry_review_at', 'is', null), row('expiry_review_at', '!=', failedRoundUnfinished)]);

/** Resolves with other monitors to which this monitor's alerts about a domain can move. */
async function successorsOf(
  trx: Transaction<Tables>,
  { monitor, facts }: LoadedFacts,
  leaving: readonly KnownAlert[],
): Promise<Successor[]> {
  const successors = [];
  for (const alert of leaving) successors.push(await findSuccessor(trx, monitor, alert, facts.at));
  return successors.filter((successorAlert) => successorAlert !== null);
}
