import type { Trigger } from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';
import type { Store } from '../store/store.ts';
import type { AlertRow } from '../store/tables.ts';

/** The content of an alert's page. */
export interface AlertView {
  /** The monitor's name. */
  monitor: string;
  type: Trigger;
  since: number;
  /** The error text of the alert; null if it is no longer stored. */
  reason: string | null;
  /** Null while the alert is open. */
  end: { at: number; reason: ResolveReason } | null;
}

/**
 * Reads an alert by its id; null if it does not exist, or if the operator disabled the account that owns it. The
 * monitor of the alert may have been deleted.
 */
export async function loadAlert({ db }: Store, id: string): Promise<AlertView | null> {
  const alert = await db.selectFrom('alert').selectAll().where('id', '=', id).executeTakeFirst();
  if (!alert || (await isOfDisabledAccount(db, alert))) return null;
  return {
    monitor: alert.monitor_name,
    type: alert.type,
    since: alert.failing_since,
    reason: (await reasonInAlarm(db, alert)) ?? (await reasonOfOutage(db, alert)),
    end: alert.resolved_at === null ? null : { at: alert.resolved_at, reason: alert.end_reason ?? 'unwatched' },
  };
}

async function isOfDisabledAccount(db: Store['db'], { project_id: project }: AlertRow): Promise<boolean> {
  const found = await db
    .selectFrom('disabled_account')
    .innerJoin('project', 'project.user_id', 'disabled_account.user_id')
    .select('since')
    .where('project.id', '=', project)
    .executeTakeFirst();
  return found !== undefined;
}

async function reasonInAlarm(db: Store['db'], { seq }: AlertRow): Promise<string | null> {
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

/** Returns why the monitor went down; null for an alert about a certificate or a domain. */
async function reasonOfOutage(db: Store['db'], { type, subject }: AlertRow): Promise<string | null> {
  if (type !== 'monitor_down') return null;
  const outage = db.selectFrom('outage').select('error_message').where('id', '=', subject);
  return (await outage.executeTakeFirst())?.error_message ?? null;
}
