import { type ChannelType, channelTypeDefinitions, channelTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { type Notice, nothingSeen } from '../channels/notice.ts';
import type { ResolveReason } from '../core/alerts.ts';
import { domainOf, isAboutDomain } from '../core/is-notified.ts';
import { nextTurn } from '../wait.ts';
import type { AlertRow, MonitorRow, Tables } from '../store/tables.ts';
import { shownAddress } from '../stored-monitors/monitor-fields.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { enqueue, type Message } from './deliveries/enqueue.ts';
import { findSuccessor } from './find-successor.ts';
import { lockDomain } from './lock-domain.ts';
import { moveAlert } from './move-alert.ts';
import { regionVerdicts, type SeenRegions } from './region-verdicts.ts';

/**
 * Maximum number of alerts that are resolved in one turn of the event loop, so that the turn takes only a few
 * milliseconds.
 */
export const maxAlertsPerTurn = 32;

export interface Resolution {
  /** The alert's id. */
  alert: string;
  /** When the fault ended, which may be before its end was noticed or reported. */
  endedAt: number;
  reason: ResolveReason;
  /** Whether the rule of the alert sends recoveries. */
  notifyOnRecovery: boolean;
  /** The details of the check that ended the fault. */
  details: Notice['details'];
}

/**
 * Resolves alerts of a monitor, and queues messages about their end. A channel gets a recovery if the monitor recovered
 * and the rule sends recoveries. A paging service gets a message about the end of every alert. Without that message, it
 * would keep the incident open. `seen` has the state of the monitor's regions; leave it out for a deleted monitor.
 */
export async function resolveAlerts(
  trx: Transaction<Tables>,
  monitor: MonitorRow,
  resolutions: readonly Resolution[],
  { now, seen }: { now: number; seen?: SeenRegions },
): Promise<void> {
  if (resolutions.length === 0) return;
  const resolved = await closeAlerts(trx, resolutions);
  const hasRecovered = resolutions.some(({ reason }) => reason === 'recovered');
  const regions = seen && hasRecovered ? await regionVerdicts(trx, seen) : {};
  const messages: Message[] = [];
  for (const { alert: id, endedAt, reason, notifyOnRecovery, details } of resolutions) {
    const alert = resolved.get(id);
    if (!alert) continue;
    const recovered = reason === 'recovered' && alert.type === 'monitor_down';
    const sendsRecovery = recovered && notifyOnRecovery;
    if (!sendsRecovery && !channelTypeDefinitions[alert.channelType].keepsIncidents) continue;
    const notice = {
      kind: sendsRecovery ? ('recovery' as const) : ('close' as const),
      event: recovered ? ('monitor_up' as const) : alert.type,
      alert: alert.id,
      rule: alert.rule_name,
      monitor: { id: monitor.id, name: monitor.name, url: shownAddress(storedFields(monitor)) },
      at: alert.resolved_at ?? endedAt,
      since: alert.failing_since,
      error: null,
      ...(recovered && regions),
      details,
    };
    messages.push({ alert, notice });
  }
  await enqueue(trx, messages, now);
}

/** The row of an alert that has just ended, and the type of its channel. */
type Closed = AlertRow & { channelType: ChannelType };

/** Stores that open alerts have ended. Resolves with the alerts whose channel still exists, by id. */
async function closeAlerts(trx: Transaction<Tables>, resolutions: readonly Resolution[]): Promise<Map<string, Closed>> {
  const closed: AlertRow[] = [];
  for (const alike of Map.groupBy(resolutions, ({ endedAt, reason }) => `${endedAt} ${reason}`).values()) {
    const { endedAt, reason } = alike[0]!;
    const rows = await trx
      .updateTable('alert')
      // A late result of a probe may be older than the alert, but an alert must not end before it began.
      .set({ resolved_at: laterOf('triggered_at', endedAt), end_reason: reason, remind_at: null })
      .where(
        'id',
        'in',
        alike.map(({ alert }) => alert),
      )
      .where('resolved_at', 'is', null)
      .returningAll()
      .execute();
    closed.push(...rows);
  }
  if (closed.length === 0) return new Map();
  const channels = await trx
    .selectFrom('channel')
    .select(['seq', 'type'])
    .where('seq', 'in', [...new Set(closed.map(({ channel }) => channel))])
    .execute();
  const typeBySeq = new Map(channels.map(({ seq, type }) => [seq, type]));
  const withType = closed.flatMap((alert): Closed[] => {
    const channelType = typeBySeq.get(alert.channel);
    return channelType ? [{ ...alert, channelType }] : [];
  });
  return new Map(withType.map((alert) => [alert.id, alert]));
}

const laterOf = (column: 'triggered_at', at: number) =>
  sql<number>`case when ${sql.ref(column)} > ${at} then ${sql.ref(column)} else ${at} end`;

/**
 * Resolves all alerts of a monitor before it is deleted. An alert about a domain moves to another monitor of that
 * domain if possible.
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
  const occasion = { endedAt: now, reason: 'deleted', notifyOnRecovery: false, details: nothingSeen } as const;
  const aboutDomain = open.filter(({ trigger }) => isAboutDomain(trigger));
  await lockDomain(trx, [...new Set(aboutDomain.map(({ subject }) => domainOf(subject)))]);
  for (let at = 0; at < open.length; at += maxAlertsPerTurn) {
    if (at > 0) await nextTurn();
    const left: Resolution[] = [];
    for (const alert of open.slice(at, at + maxAlertsPerTurn)) {
      const successorAlert = aboutDomain.includes(alert) ? await findSuccessor(trx, monitor, alert, now) : null;
      if (successorAlert) await moveAlert(trx, successorAlert, now);
      else left.push({ alert: alert.id, ...occasion });
    }
    await resolveAlerts(trx, monitor, left, { now });
  }
}

/**
 * Resolves the outage alerts of a monitor that is being deleted, with one statement and without messages. Leaves out
 * alerts to paging services, because those need a message.
 */
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
