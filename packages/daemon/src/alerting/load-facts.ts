import { type CheckError, isPassive, type NormalMonitor, type Trigger } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { SeenCertificate } from '../checks/check.ts';
import type { Facts } from '../core/alerts.ts';
import { certificateFaults, domainFaults, type ExpiryFault, nextExpiryReview } from '../core/expiry.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import type { MonitorRow, MonitorStateRow, Tables } from '../store/tables.ts';
import type { SeenRegions } from './region-verdicts.ts';
import { maintenanceAt } from '../stored-monitors/maintenance-windows.ts';
import {
  certificateThresholdDays,
  domainExpiry,
  domainThresholdDays,
  expectsCertificate,
} from '../stored-monitors/monitor-fields.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';

/** The facts that a review needs, and those that messages contain. */
export interface LoadedFacts {
  monitor: MonitorRow;
  fields: NormalMonitor;
  facts: Omit<Facts, 'expiry'> & { expiry: ExpiryFault[] };
  /** When the open outage began. */
  failingSince: number;
  /** Why the monitor is down. */
  error: CheckError | null;
  seen: SeenRegions;
  /** When the facts next change because time passes. `kept` is the value that the database has now. */
  expiryReviewAt: { next: number | null; kept: number | null };
}

/**
 * The `expiry_review_at` of a monitor whose review is due at once. It is 0, so that the review stays due even if the
 * clock is set back.
 */
export const reviewDueAtOnce = 0;
/**
 * The `expiry_review_at` of a monitor with a failed round whose review is not finished. The next review then still
 * treats the round as just failed.
 */
export const failedRoundUnfinished = -1;

/** Reads all facts that a monitor's alerts depend on, as of `at` (epoch milliseconds). */
export async function loadFacts(
  trx: Transaction<Tables>,
  seq: number,
  { at, failed }: { at: number; failed: boolean },
): Promise<LoadedFacts> {
  const monitor = await trx.selectFrom('monitor').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const state = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', seq).executeTakeFirstOrThrow();
  const outage =
    state.status === 'down'
      ? await trx
          .selectFrom('episode')
          .select(['id', 'failing_since'])
          .where('monitor', '=', seq)
          .where('closed_at', 'is', null)
          .executeTakeFirst()
      : undefined;
  const fields = storedFields(monitor);
  const expiry = await loadExpiry(trx, fields, state, at);
  return {
    monitor,
    fields,
    facts: {
      at,
      status: state.status,
      since: state.since,
      failures: state.failures,
      outage: outage?.id ?? null,
      // A silent heartbeat has no failed checks that could confirm the outage, so its outage always counts as
      // confirmed.
      seenFailing: failed || isPassive(monitor) || state.expiry_review_at === failedRoundUnfinished,
      expiry: expiry.faults,
      unseen: expiry.unseen,
      domain: state.domain,
      ...(await maintenanceAt(trx, seq, at)),
    },
    failingSince: outage?.failing_since ?? at,
    error: state.error_code === null ? null : { code: state.error_code, message: state.error_message ?? '' },
    seen: {
      regions: stateFromRow(state).regions,
      watchedSince: state.watched_since,
      intervalMs: fields.interval * 1000,
    },
    expiryReviewAt: { next: expiry.reviewAt, kept: state.expiry_review_at },
  };
}

/** The faults of certificate and domain, and when they next change as time passes. */
async function loadExpiry(
  trx: Transaction<Tables>,
  fields: NormalMonitor,
  state: Pick<MonitorStateRow, 'certificate' | 'domain'>,
  at: number,
): Promise<{ faults: ExpiryFault[]; unseen: Trigger[]; reviewAt: number | null }> {
  const faults: ExpiryFault[] = [];
  const unseen: Trigger[] = [];
  const expiries = [];
  const certificateDays = certificateThresholdDays(fields);
  if (certificateDays !== null && state.certificate !== null) {
    const certificate = JSON.parse(state.certificate) as SeenCertificate;
    faults.push(...certificateFaults(certificate, certificateDays, at));
    expiries.push({ expiresAt: certificate.validTo, thresholdDays: certificateDays });
  } else if (expectsCertificate(fields)) {
    unseen.push('ssl_expiring', 'ssl_expired', 'ssl_invalid');
  }
  if (state.domain !== null) {
    const known = await trx
      .selectFrom('domain_registration')
      .select(['expires_at', 'checked_at'])
      .where('name', '=', state.domain)
      .executeTakeFirst();
    const expiresAt = domainExpiry(fields, known);
    if (expiresAt === null && known?.checked_at === null) unseen.push('domain_expiring', 'domain_expired');
    if (expiresAt !== null) {
      const domain = { name: state.domain, expiresAt };
      const thresholdDays = domainThresholdDays(fields);
      faults.push(...domainFaults(domain, thresholdDays, at));
      expiries.push({ expiresAt, thresholdDays });
    }
  }
  return { faults, unseen, reviewAt: nextExpiryReview(expiries, at) };
}
