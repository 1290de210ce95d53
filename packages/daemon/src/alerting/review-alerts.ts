import type { Transaction } from 'kysely';
import { type Notice, nothingSeen } from '../channels/notice.ts';
import { type Successor, type KnownAlert, review, findSuccessors } from '../core/alerts.ts';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';
import { lockMonitor } from '../stored-monitors/lock-monitor.ts';
import { findSuccessor } from './find-successor.ts';
import { knownAlerts, openAlerts } from './known-alerts.ts';
import { type LoadedFacts, loadFacts } from './load-facts.ts';
import { moveAlert } from './move-alert.ts';
import { openAlert } from './open-alert.ts';
import { mostAlertsInTurn, resolveAlert } from './resolve-alert.ts';
import { watchingRules } from './watching-rules.ts';

/** Why a monitor's alerts are reviewed. */
export interface Occasion {
  at: number;
  /** Whether a check round has just failed. */
  failed?: boolean;
  /** The check's details. */
  details?: Notice['details'];
}

/**
 * Brings a monitor's alerts in line with its state, in the transaction that changed either. It opens and resolves
 * alerts, and queues their messages in the outbox. Without a change it does nothing, so it may be called in case of
 * doubt.
 */
export async function reviewAlerts(
  trx: Transaction<Tables>,
  monitor: number,
  { at, failed = false, details = nothingSeen }: Occasion,
): Promise<void> {
  await lockMonitor(trx, monitor);
  const rules = await watchingRules(trx, monitor);
  const open = await openAlerts(trx, monitor);
  if (rules.length === 0 && open.length === 0) return;

  const loaded = await loadFacts(trx, monitor, { at, failed });
  const { facts, expiryReviewAt } = loaded;
  const known = await knownAlerts(trx, open, loaded);
  let found = review(facts, rules, known);
  const successors = await successorsOf(trx, loaded, findSuccessors(facts, known, found));
  if (successors.length > 0) found = review(facts, rules, known, successors);

  let written = 0;
  const pace = async () => {
    if (++written % mostAlertsInTurn === 0) await nextTurn();
  };
  for (const move of found.move) await moveAlert(trx, { monitor, ...move }, at);
  for (const { alert, at: endedAt, reason } of found.resolve) {
    await pace();
    const rule = rules.find((one) => one.rule === known.find(({ id }) => id === alert)?.rule);
    const notifyOnRecovery = rule?.notifyOnRecovery ?? false;
    await resolveAlert(trx, loaded.monitor, { alert, endedAt, reason, notifyOnRecovery, now: at, details });
  }
  for (const { alert, subject } of found.carryOver)
    await trx.updateTable('alert').set({ subject }).where('id', '=', alert).execute();
  for (const fired of found.fire) {
    await pace();
    const rule = rules.find((one) => one.rule === fired.rule);
    if (rule) await openAlert(trx, fired, rule, loaded, details);
  }
  if (expiryReviewAt.next !== expiryReviewAt.kept) {
    await trx
      .updateTable('monitor_state')
      .set({ expiry_review_at: expiryReviewAt.next })
      .where('monitor', '=', monitor)
      .execute();
  }
}

/** Other monitors that can take over this monitor's alerts about a domain. */
async function successorsOf(
  trx: Transaction<Tables>,
  { monitor, facts }: LoadedFacts,
  leaving: readonly KnownAlert[],
): Promise<Successor[]> {
  const successors = [];
  for (const alert of leaving) successors.push(await findSuccessor(trx, monitor, alert, facts.at));
  return successors.filter((successorAlert) => successorAlert !== null);
}
