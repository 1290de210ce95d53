import type { Kysely } from 'kysely';
import { type GatewayKind, usedOf } from '../../core/message-budget.ts';
import { dayMs } from '../../core/uptime.ts';
import type { Tables } from '../../store/tables.ts';
import type { MessageLimits } from './message-limits.ts';

/** How much of a day's messages a project has used. What is used becomes free again evenly, over a day. */
export interface MessageUsage {
  used: number;
  /** Null for no limit. */
  most: number | null;
}

/** What a project (by its id) uses of its limits of mails, and of SMS and calls. `now` in epoch milliseconds. */
export async function messageUsage(
  db: Kysely<Tables>,
  limits: MessageLimits,
  { project, now }: { project: string; now: number },
): Promise<Record<GatewayKind, MessageUsage>> {
  const rows = await db
    .selectFrom('message_budget')
    .select(['kind', 'full_at'])
    .where('owner', '=', `project ${project}`)
    .execute();
  const usage = (kind: GatewayKind): MessageUsage => {
    const most = limits.perDay.project[kind];
    if (most === null) return { used: 0, most };
    const fullAt = rows.find((row) => row.kind === kind)?.full_at ?? 0;
    return { used: Math.ceil(usedOf({ level: 'project', most, periodMs: dayMs, fullAt }, now)), most };
  };
  return { mail: usage('mail'), phone: usage('phone') };
}
