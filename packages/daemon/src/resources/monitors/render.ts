import { isPassive, type monitor, monitorType, type NormalMonitor, type ReadOnlyField } from '@uptime/sdk/contract';
import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { SeenCertificate } from '../../checks/check.ts';
import { withPossibleTimes } from '../../core/certificate-times.ts';
import { dayMs } from '../../core/uptime.ts';
import type { DomainRegistrationTable, MonitorRow, MonitorStateRow } from '../../store/tables.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { domainExpiry, expectsCertificate } from '../../stored-monitors/monitor-fields.ts';
import type { MonitorVault } from '../../stored-monitors/monitor-vault.ts';
import { unreadableText } from '../../stored-monitors/monitor-secrets.ts';

/** A monitor with the part of its state that the API shows. */
export type ShownRow = MonitorRow &
  Pick<MonitorStateRow, 'status' | 'last_checked_at' | 'last_ping_at' | 'ping_due_at' | 'certificate' | 'domain'> & {
    /** When the monitor is due next in any region, as far as the store knows; null if the monitor is not scheduled. */
    next_at: number | null;
  };

type Monitor = z.output<typeof monitor>;

export interface ShownWith {
  siteUrl: string;
  now: number;
  vault: Pick<MonitorVault, 'open'>;
  /** Returns when a monitor is due next: see `nextCheckAt` of `Backend`. */
  nextCheckAt: (monitor: number, generation: number) => number | null;
  /** Returns when a monitor was last checked: see `lastCheckedAt` of `Backend`. */
  lastCheckedAt: (monitor: number, stored: number | null) => number | null;
}

/** Returns a monitor as the API shows it. */
export function renderMonitor(
  row: ShownRow,
  { siteUrl, now, vault, nextCheckAt, lastCheckedAt }: ShownWith,
  registration?: Selectable<DomainRegistrationTable>,
): Monitor {
  const { fields, unreadable } = vault.open(row);
  const nextAt = row.next_at === null ? null : notPast(nextCheckAt(row.seq, row.generation) ?? row.next_at, now);
  // Every response shows these fields of a monitor first.
  const head = { id: row.id, projectId: row.project_id, key: row.key, name: row.name };
  const shown = {
    ...head,
    ...fields,
    status: row.status,
    pausedReason: row.plan_paused === 1 ? 'plan' : null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    lastCheckedAt: isoTimeOrNull(lastCheckedAt(row.seq, row.last_checked_at)),
    nextCheckAt: row.status === 'paused' ? null : isoTimeOrNull(isPassive(row) ? row.ping_due_at : nextAt),
  };
  const sealed = Object.keys(unreadable);
  const values = {
    secretsError: sealed.length === 0 ? null : unreadableText(fields.type, sealed),
    certificate: expectsCertificate(fields) ? renderCertificate(row.certificate, now) : null,
    domain: renderDomain(row.domain, fields, registration, now),
    pingUrl: `${siteUrl}/ping/${row.token ?? ''}`,
    lastPingAt: isoTimeOrNull(row.last_ping_at),
  } satisfies Record<ReadOnlyField, unknown>;
  const own = monitorType(fields.type).readOnly.map((field) => [field, values[field]] as const);
  return { ...shown, ...Object.fromEntries(own) } as Monitor;
}

/**
 * If a check is overdue for longer than this, the API shows no time of the next check, because perhaps no checker
 * serves the region now.
 */
const maxOverdueMs = 60_000;

const notPast = (nextAt: number, now: number) => (nextAt < now - maxOverdueMs ? null : Math.max(nextAt, now));

function renderDomain(
  name: string | null,
  fields: NormalMonitor,
  registration: Selectable<DomainRegistrationTable> | undefined,
  now: number,
) {
  if (name === null) return null;
  const expiresAt = domainExpiry(fields, registration);
  const unread = registration?.checked_at === null ? 'The registry has not been asked yet.' : registration?.error;
  return {
    name,
    expiresAt: isoTimeOrNull(expiresAt),
    registrar: registration?.registrar ?? null,
    daysRemaining: expiresAt === null ? null : Math.floor((expiresAt - now) / dayMs),
    error: expiresAt === null ? (unread ?? null) : expiresAt <= now ? 'It has expired.' : null,
  };
}

function renderCertificate(stored: string | null, now: number) {
  if (stored === null) return null;
  const seen = withPossibleTimes(JSON.parse(stored) as SeenCertificate);
  const expired = now > seen.validTo ? 'It has expired.' : now < seen.validFrom ? 'It is not valid yet.' : null;
  const error = seen.error?.message ?? expired;
  return {
    validFrom: isoTime(seen.validFrom),
    validTo: isoTime(seen.validTo),
    issuer: seen.issuer,
    subject: seen.subject,
    daysRemaining: Math.floor((seen.validTo - now) / dayMs),
    valid: error === null,
    error,
  };
}
