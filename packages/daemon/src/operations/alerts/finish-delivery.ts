import type { Transaction } from 'kysely';
import type { Sent } from '../../channels/index.ts';
import { askedWait, nextAttemptAt } from '../../core/backoff.ts';
import type { Tables } from '../../store/tables.ts';
import { freeLane } from './lane.ts';

/** What became of a message. Times are epoch milliseconds. */
export type Finished = { delivery: number; at: number } & (
  | {
      sent: Sent;
      /** When the attempt began. */
      begun: number;
      /** How long it took, in milliseconds. */
      duration: number;
      random: number;
    }
  | {
      /** Why it is not sent at all. */
      gaveUp: string;
    }
);

/**
 * Writes down how an attempt ended: in the log of attempts, at the delivery, its alert and its channel. A message that
 * is over lets the next of its lane go.
 */
export async function finishDelivery(trx: Transaction<Tables>, finished: Finished): Promise<void> {
  const { delivery: seq, at } = finished;
  const row = await trx.selectFrom('delivery').selectAll().where('seq', '=', seq).executeTakeFirst();
  // Its project was deleted, and it with that.
  if (!row) return;
  const { sent, begun, duration } =
    'sent' in finished
      ? finished
      : {
          sent: { ok: false as const, retry: false, retryAfter: null, status: null, text: finished.gaveUp },
          begun: at,
          duration: 0,
        };
  await trx
    .insertInto('delivery_attempt')
    .values({ delivery: seq, at: begun, duration_ms: Math.round(duration), status: sent.status, text: sent.text })
    // Only a clock that was set back comes to the same moment twice.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another daemon took it when the claim had lapsed, and was done sooner.
  if (row.status !== 'pending') return;

  const attempts = row.attempts + ('sent' in finished ? 1 : 0);
  const triedSince = row.tried_since ?? begun;
  const next =
    !sent.ok && sent.retry && 'sent' in finished
      ? nextAttemptAt({
          now: at,
          triedSince,
          attempts,
          retryAfter: sent.retryAfter,
          random: finished.random,
        })
      : null;
  const status = sent.ok ? 'sent' : next === null ? 'failed' : 'pending';
  await trx
    .updateTable('delivery')
    .set({
      status,
      attempts,
      tried_since: triedSince,
      next_at: next,
      lease_until: 0,
      finished_at: next === null ? at : null,
    })
    .where('seq', '=', seq)
    .execute();
  // That the recovery was not sent says less than why its alarm did not arrive.
  if ('sent' in finished || row.kind === 'alarm') {
    await trx
      .updateTable('alert')
      .set({ error: sent.ok ? null : sent.text, ...(row.kind === 'alarm' && { delivery_status: status }) })
      .where('seq', '=', row.alert)
      .execute();
  }
  if ('sent' in finished) {
    await trx
      .updateTable('channel')
      .set(sent.ok ? { last_sent_at: at, last_error: null } : { last_error: sent.text })
      .where('seq', '=', row.channel)
      .execute();
    if (!sent.ok && sent.retryAfter !== null) {
      const until = at + askedWait(sent.retryAfter);
      await trx
        .updateTable('channel')
        .set({ wait_until: until })
        .where('seq', '=', row.channel)
        .where('wait_until', '<', until)
        .execute();
    }
  }
  if (next === null) await freeLane(trx, row.lane, at);
}
