import type { Transaction } from 'kysely';
import { channels } from '../../channels/index.ts';
import { type Notice, nothingSeen } from '../../channels/notice.ts';
import { type KnownAlert, review } from '../../core/alerts.ts';
import type { Tables } from '../../store/tables.ts';
import { lockMonitor } from '../lock-monitor.ts';
import { loadFacts } from './load-facts.ts';
import { openAlert } from './open-alert.ts';
import { resolveAlert } from './resolve-alert.ts';
import { watchingRules } from './watching-rules.ts';

/** Why a monitor's alerts are looked at. */
export interface Occasion {
  /** Epoch milliseconds. */
  at: number;
  /** A check round has just failed. */
  failed?: boolean;
  /** What the check saw. */
  details?: Notice['details'];
}

/**
 * Brings a monitor's alerts in line with its state, in the transaction that changed either: opens and resolves them, and
 * puts what is to be sent into the outbox. Harmless where nothing changed, so that whoever is in doubt may call it.
 */
export async function reviewAlerts(
  trx: Transaction<Tables>,
  monitor: number,
  { at, failed = false, details = nothingSeen }: Occasion,
): Promise<void> {
  await lockMonitor(trx, monitor);
  const rules = await watchingRules(trx, monitor);
  const open = await knownAlerts(trx, monitor, null);
  if (rules.length === 0 && open.length === 0) return;

  const loaded = await loadFacts(trx, monitor, { at, failed });
  const { facts, expiryReviewAt } = loaded;
  const subjects = [facts.outage, ...facts.expiry.map(({ subject }) => subject)].filter((one) => one !== null);
  const over = await knownAlerts(trx, monitor, subjects);
  const found = review(facts, rules, [...open, ...over]);

  for (const { alert, at: endedAt, reason } of found.resolve) {
    const rule = rules.find((one) => one.rule === open.find(({ id }) => id === alert)?.rule);
    const notifyOnRecovery = rule?.notifyOnRecovery ?? false;
    await resolveAlert(trx, loaded.monitor, { alert, endedAt, reason, notifyOnRecovery, now: at, details });
  }
  for (const { alert, subject } of found.carryOver)
    await trx.updateTable('alert').set({ subject }).where('id', '=', alert).execute();
  for (const fired of found.fire) {
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

/** The monitor's open alerts; with `subjects`, those about these faults that are over. */
async function knownAlerts(
  trx: Transaction<Tables>,
  monitor: number,
  subjects: readonly string[] | null,
): Promise<KnownAlert[]> {
  if (subjects?.length === 0) return [];
  let rows = trx
    .selectFrom('alert')
    .leftJoin('channel', 'channel.seq', 'alert.channel')
    .select(['alert.id', 'alert.rule', 'alert.channel', 'alert.type', 'alert.subject', 'alert.resolved_at'])
    .select(['alert.end_reason', 'channel.type as through'])
    .where('alert.monitor', '=', monitor);
  rows = subjects
    ? rows.where('alert.subject', 'in', subjects).where('alert.resolved_at', 'is not', null)
    : rows.where('alert.resolved_at', 'is', null).orderBy('alert.seq');
  return (await rows.execute()).map(({ type, resolved_at, end_reason, through, ...row }) => ({
    ...row,
    trigger: type,
    open: resolved_at === null,
    reopens: end_reason === 'unwatched' && through !== null && channels[through].closes === true,
  }));
}
