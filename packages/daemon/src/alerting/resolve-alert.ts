import { channelTypeDefinitions, channelTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { type Notice, nothingSeen } from '../channels/notice.ts';
import type { ResolveReason } from '../core/alerts.ts';
import { domainOf, isAboutDomain } from '../core/is-notified.ts';
import { nextTurn } from '../wait.ts';
import type { MonitorRow, Tables } from '../store/tables.ts';
import { shownAddress } from '../stored-monitors/monitor-fields.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { enqueue } from './deliveries/enqueue.ts';
import { findSuccessor } from './find-successor.ts';
import { lockDomain } from './lock-domain.ts';
import { moveAlert } from './move-alert.ts';
import { regionVerdicts, type SeenRegions } from './region-verdicts.ts';

/** Alerts that are opened or resolved in one turn of the event loop. Each takes up to a millisecond. */
export const mostAlertsInTurn = 16;

export interface Resolution {
  /** The alert's id. */
  alert: string;
  /** When the fault really ended. */
  endedAt: number;
  reason: ResolveReason;
  /** Whether the rule sends recoveries. */
  notifyOnRecovery: boolean;
  now: number;
  /** The check's details. */
  details: Notice['details'];
  /** The monitor's regions; left out if the monitor is deleted. */
  seen?: SeenRegions;
}

/**
 * Resolves an alert. Its channel gets a recovery if the monitor recovered. Paging services, which keep incidents open,
 * also get a message if the monitor was paused, deleted, or is no longer watched.
 */
export async function resolveAlert(
  trx: Transaction<Tables>,
  monitor: MonitorRow,
  { alert: id, endedAt, reason, notifyOnRecovery, now, details, seen }: Resolution,
): Promise<void> {
  const alert = await trx
    .updateTable('alert')
    // Results of probes may not arrive in the order of their times.
    .set({ resolved_at: laterOf('triggered_at', endedAt), end_reason: reason, remind_at: null })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!alert) return;
  const channel = await trx.selectFrom('channel').select('type').where('seq', '=', alert.channel).executeTakeFirst();
  if (!channel) return;

  const recovered = reason === 'recovered' && alert.type === 'monitor_down';
  const told = recovered && notifyOnRecovery;
  if (!told && !channelTypeDefinitions[channel.type].keepsIncidents) return;
  await enqueue(
    trx,
    alert,
    {
      kind: told ? 'recovery' : 'close',
      event: recovered ? 'monitor_up' : alert.type,
      alert: alert.id,
      rule: alert.rule_name,
      monitor: { id: monitor.id, name: monitor.name, type: monitor.type, url: shownAddress(storedFields(monitor)) },
      at: alert.resolved_at ?? endedAt,
      since: alert.failing_since,
      error: null,
      ...(recovered && seen && (await regionVerdicts(trx, seen, now))),
      details,
    },
    now,
  );
}

const laterOf = (column: 'triggered_at', at: number) =>
  sql<number>`case when ${sql.ref(column)} > ${at} then ${sql.ref(column)} else ${at} end`;

/**
 * Resolves all alerts of a monitor before it is deleted. An alert about its domain moves to another monitor if
 * possible.
 */
export async function resolveAlertsOf(trx: Transaction<Tables>, seq: number, now: number): Promise<void> {
  await resolveSilently(trx, seq, now);
  const open = await trx
    .selectFrom('alert')
    .select(['id', 'type as trigger', 'subject', 'channel'])
    .where('monitor', '=', seq)
    .where('resolved_at', 'is', null)
    .orderBy('seq')
    .execute();
  if (open.length === 0) return;
  const monitor = await trx.selectFrom('monitor').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const occasion = { endedAt: now, reason: 'deleted', notifyOnRecovery: false, now, details: nothingSeen } as const;
  const aboutDomain = open.filter(({ trigger }) => isAboutDomain(trigger));
  await lockDomain(trx, [...new Set(aboutDomain.map(({ subject }) => domainOf(subject)))]);
  for (const [at, alert] of open.entries()) {
    if (at > 0 && at % mostAlertsInTurn === 0) await nextTurn();
    const successorAlert = aboutDomain.includes(alert) ? await findSuccessor(trx, monitor, alert, now) : null;
    if (successorAlert) await moveAlert(trx, successorAlert, now);
    else await resolveAlert(trx, monitor, { alert: alert.id, ...occasion });
  }
}

/** Resolves the outages of a deleted monitor with one statement, for channels that get no message about it. */
async function resolveSilently(trx: Transaction<Tables>, seq: number, now: number): Promise<void> {
  const paging = channelTypes.filter((type) => channelTypeDefinitions[type].keepsIncidents);
  await trx
    .updateTable('alert')
    .set({ resolved_at: laterOf('triggered_at', now), end_reason: 'deleted', remind_at: null })
    .where('monitor', '=', seq)
    .where('type', '=', 'monitor_down')
    .where('resolved_at', 'is', null)
    .where((alert) =>
      alert.not(
        alert.exists(
          alert
            .selectFrom('channel')
            .select('seq')
            .whereRef('channel.seq', '=', 'alert.channel')
            .where('channel.type', 'in', paging),
        ),
      ),
    )
    .execute();
}
