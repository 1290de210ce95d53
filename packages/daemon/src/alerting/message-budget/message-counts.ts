import type { Kysely, Transaction } from 'kysely';
import { type Budget, countInBudgets, type GatewayKind, unitMs, usedOf } from '../../core/message-budget.ts';
import { dayMs } from '../../core/uptime.ts';
import type { Tables } from '../../store/tables.ts';
import { limitsFor, type MessageLimits, type OwnedLimit, type Purpose, type Sender } from './message-limits.ts';

/** A message to count against the limits. */
export interface MessageToCount {
  kind: GatewayKind;
  purpose: Purpose;
  sender: Sender;
  now: number;
}

/** The limits against which a message was counted. They are needed to remove the message from the counts. */
export interface CountedMessage {
  kind: GatewayKind;
  from: readonly OwnedLimit[];
}

export type MessageCount =
  | {
      ok: true;
      counted: CountedMessage;
      /** How many more alarms may be sent now. */
      left: number;
      /** The limit with the least room left; null if no limit applies. */
      tightest: OwnedLimit | null;
    }
  | { ok: false; by: Budget; until: number };

/**
 * Counts one message against every limit that applies. It is counted before it is sent, so that killed processes cannot
 * exceed a limit. If a limit has no room, nothing is counted. The result then contains that limit (`by`), and until
 * when it has no room (`until`, in epoch milliseconds).
 */
export async function countMessage(
  trx: Transaction<Tables>,
  limits: MessageLimits,
  message: MessageToCount,
): Promise<MessageCount> {
  const { kind, purpose, now } = message;
  const from = limitsFor(limits, message);
  if (from.length === 0) return { ok: true, counted: { kind, from }, left: Infinity, tightest: null };
  const owners = from.map(({ owner }) => owner);
  const rows = await trx
    .selectFrom('message_budget')
    .select(['owner', 'full_at'])
    .where('kind', '=', kind)
    .where('owner', 'in', owners)
    .execute();
  const fullAtOf = new Map(rows.map((row) => [row.owner, row.full_at]));
  const budgets = from.map((limit) => ({ ...limit, fullAt: fullAtOf.get(limit.owner) ?? 0 }));
  const count = countInBudgets(budgets, purpose === 'code' ? 'requested' : purpose, now);
  if (!count.ok) return count;
  await trx
    .insertInto('message_budget')
    .values(owners.map((owner, at) => ({ owner, kind, full_at: count.fullAt[at]! })))
    .onConflict((conflict) =>
      conflict.columns(['owner', 'kind']).doUpdateSet((set) => ({ full_at: set.ref('excluded.full_at') })),
    )
    .execute();
  const waits = from.map((limit, at) => ({ limit, roomMs: limit.periodMs - (count.fullAt[at]! - now) }));
  const [tightest] = waits.toSorted((a, b) => a.roomMs / unitMs(a.limit) - b.roomMs / unitMs(b.limit));
  return { ok: true, counted: { kind, from }, left: count.left, tightest: tightest?.limit ?? null };
}

/**
 * Undoes `countMessage` for a message that the gateway did not accept. So a gateway that fails for a day uses up no
 * limits. If a limit delays the channel of the message, that delay ends, because the limit has room again. `channel` is
 * the channel's `seq`, and `now` is in epoch milliseconds.
 */
export async function uncountMessage(
  trx: Transaction<Tables>,
  { kind, from }: CountedMessage,
  { channel, now }: { channel: number; now: number },
): Promise<void> {
  for (const limit of from) {
    const unit = Math.floor(unitMs(limit));
    await trx
      .updateTable('message_budget')
      .set((row) => ({ full_at: row('full_at', '-', unit) }))
      .where('owner', '=', limit.owner)
      .where('kind', '=', kind)
      .execute();
  }
  await trx
    .updateTable('channel')
    .set({ wait_until: now, held_why: null })
    .where('seq', '=', channel)
    .where('held_why', 'is not', null)
    .execute();
}

/** How much of a daily limit is used. The used part becomes free again evenly over a day. */
export interface MessageUsage {
  used: number;
  /** The limit; null if there is none. */
  maxMessages: number | null;
}

/**
 * Resolves with how much of the daily limits is used, for mail and for phone (SMS and calls). A project and its account
 * each have a limit. The result describes only one of these two limits: the one with the larger used share.
 */
export async function messageUsage(
  db: Kysely<Tables>,
  { perDay }: MessageLimits,
  { project, account, now }: { project: string; account: string; now: number },
): Promise<Record<GatewayKind, MessageUsage>> {
  const owners = { project: `project ${project}`, account: `account ${account}` };
  const rows = await db
    .selectFrom('message_budget')
    .select(['owner', 'kind', 'full_at'])
    .where('owner', 'in', Object.values(owners))
    .execute();
  const usage = (kind: GatewayKind): MessageUsage => {
    const all = (['project', 'account'] as const).flatMap((level) => {
      const maxMessages = perDay[level][kind];
      if (maxMessages === null) return [];
      const fullAt = rows.find((row) => row.owner === owners[level] && row.kind === kind)?.full_at ?? 0;
      return [{ used: Math.ceil(usedOf({ level, maxMessages, periodMs: dayMs, fullAt }, now)), maxMessages }];
    });
    const share = ({ used, maxMessages }: { used: number; maxMessages: number }) => used / Math.max(1, maxMessages);
    return all.toSorted((a, b) => share(b) - share(a))[0] ?? { used: 0, maxMessages: null };
  };
  return { mail: usage('mail'), phone: usage('phone') };
}
