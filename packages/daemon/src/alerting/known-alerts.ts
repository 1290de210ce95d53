import { channelTypeDefinitions } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import type { KnownAlert } from '../core/alerts.ts';
import { domainOf, domainTriggers, isAboutDomain } from '../core/is-notified.ts';
import type { Tables } from '../store/tables.ts';
import type { LoadedFacts } from './load-facts.ts';
import { lockDomain } from './lock-domain.ts';

/** Resolves with the monitor's open alerts, the oldest first. */
export const alertsOpenNow = (trx: Transaction<Tables>, monitor: number): Promise<KnownAlert[]> =>
  read(trx, monitor, (rows) =>
    rows.where('alert.monitor', '=', monitor).where('alert.resolved_at', 'is', null).orderBy('alert.seq'),
  );

/**
 * Resolves with all alerts that a review of a monitor needs:
 * - the open alerts of the monitor
 * - its resolved alerts about faults that still exist
 * - the alerts of all monitors of the project about the monitor's domain. Reviews of other monitors on the domain may
 *   run at the same time, so the domain is locked first.
 */
export async function knownAlerts(
  trx: Transaction<Tables>,
  open: readonly KnownAlert[],
  { monitor: { seq, project_id }, facts }: LoadedFacts,
): Promise<KnownAlert[]> {
  const certificates = facts.expiry.filter(({ trigger }) => !isAboutDomain(trigger));
  const own = unique([facts.outage, ...certificates.map(({ subject }) => subject)].filter((one) => one !== null));
  const ended =
    own.length === 0
      ? []
      : await read(trx, seq, (rows) =>
          rows
            .where('alert.monitor', '=', seq)
            .where('alert.subject', 'in', own)
            .where('alert.resolved_at', 'is not', null),
        );
  const faults = [...open, ...facts.expiry].filter(({ trigger }) => isAboutDomain(trigger));
  const domains = unique(faults.map(({ subject }) => subject));
  await lockDomain(trx, unique(domains.map(domainOf)));
  const aboutDomains =
    domains.length === 0
      ? []
      : await read(trx, seq, (rows) =>
          rows
            .where('alert.project_id', '=', project_id)
            .where('alert.subject', 'in', domains)
            // With literals, SQLite uses the partial index `alert_domain`.
            .where(
              'alert.type',
              'in',
              domainTriggers.map((trigger) => sql.lit(trigger)),
            )
            .orderBy('alert.seq'),
        );
  return [...open.filter(({ trigger }) => !isAboutDomain(trigger)), ...ended, ...aboutDomains];
}

const unique = (all: readonly string[]) => [...new Set(all)];

const rowsOf = (trx: Transaction<Tables>) =>
  trx
    .selectFrom('alert')
    .leftJoin('channel', 'channel.seq', 'alert.channel')
    .select(['alert.id', 'alert.rule', 'alert.monitor', 'alert.channel', 'alert.type', 'alert.subject'])
    .select(['alert.resolved_at', 'alert.end_reason', 'channel.type as through']);
type Rows = ReturnType<typeof rowsOf>;

async function read(trx: Transaction<Tables>, seq: number, which: (rows: Rows) => Rows): Promise<KnownAlert[]> {
  return (await which(rowsOf(trx)).execute()).map(
    ({ type, resolved_at, end_reason, through, monitor, ...row }): KnownAlert => ({
      ...row,
      trigger: type,
      open: resolved_at === null,
      // Only an alert about a domain can have the reason `deleted` here, because only alerts about domains are read
      // after their monitor was deleted.
      reopens:
        (end_reason === 'unwatched' || end_reason === 'deleted') &&
        through !== null &&
        channelTypeDefinitions[through].keepsIncidents,
      elsewhere: monitor !== seq,
    }),
  );
}
