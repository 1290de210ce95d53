import type { Trigger } from '@uptime/sdk/contract';
import type { Store } from '../store/store.ts';
import type { AlertRow } from '../store/tables.ts';

/** What is known about an alert. Times are epoch milliseconds. */
export interface AlertView {
  /** The monitor's name. */
  monitor: string;
  type: Trigger;
  since: number;
  /** In the words of the alarm; null where they are no longer known. */
  reason: string | null;
  /** Null while it goes on; `closed` where the monitor was paused, deleted, or is no longer watched. */
  end: { at: number; how: 'mended' | 'closed' } | null;
}

/** Reads an alert by its id; null where there is none. It needs no monitor, which may be gone. */
export async function loadAlert({ db }: Store, id: string): Promise<AlertView | null> {
  const alert = await db.selectFrom('alert').selectAll().where('id', '=', id).executeTakeFirst();
  if (!alert) return null;
  const episode =
    alert.type === 'monitor_down'
      ? await db.selectFrom('episode').selectAll().where('id', '=', alert.subject).executeTakeFirst()
      : undefined;
  return {
    monitor: alert.monitor_name,
    type: alert.type,
    since: alert.failing_since,
    reason: (await reasonTold(db, alert)) ?? episode?.error_message ?? null,
    end: endOf(alert, episode),
  };
}

async function reasonTold(db: Store['db'], { seq }: AlertRow): Promise<string | null> {
  const alarm = await db
    .selectFrom('delivery')
    .select('notice')
    .where('alert', '=', seq)
    .where('kind', '=', 'alarm')
    .orderBy('seq')
    .executeTakeFirst();
  const notice = alarm && (JSON.parse(alarm.notice) as { error?: { message?: string } | null });
  return notice?.error?.message ?? null;
}

function endOf(
  { type, resolved_at: resolvedAt }: AlertRow,
  episode: { closed_at: number | null; close_reason: string | null } | undefined,
): AlertView['end'] {
  if (resolvedAt === null) return null;
  // A certificate or domain that was renewed is not told apart from a monitor that is no longer watched.
  if (type !== 'monitor_down') return { at: resolvedAt, how: 'closed' };
  if (episode?.close_reason !== 'recovered') return { at: resolvedAt, how: 'closed' };
  return { at: episode.closed_at ?? resolvedAt, how: 'mended' };
}
