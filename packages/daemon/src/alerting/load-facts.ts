import { type CheckError, isPassive, type NormalMonitor, type Trigger } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { SeenCertificate } from '../checks/check.ts';
import type { Facts } from '../core/alerts.ts';
import { withPossibleTimes } from '../core/certificate-times.ts';
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

/** The facts that a review of a monitor's alerts needs, and the facts that messages contain. */
export interface LoadedFacts {
  monitor: MonitorRow;
  fields: NormalMonitor;
  facts: Omit<Facts, 'expiry'> & { expiry: ExpiryFault[] };
  /** When the present outage began. */
  failingSince: number;
  /** Why the monitor is down. */
  error: CheckError | null;
  seen: SeenRegions;
  /**
   * `next`: the next time at which the faults of certificate and domain change by themselves (see `nextExpiryReview`);
   * null for never. `kept`: the stored value of the column `expiry_review_at`.
   */
  expiryReviewAt: { next: number | null; kept: number | null };
}

/**
 * The value of `expiry_review_at` that makes a review of the monitor's alerts due at once. It is 0, so that the review
 * stays due even if the clock is set back.
 */
export const reviewDueAtOnce = 0;
/**
 * The value of `expiry_review_at` if the review of the alerts after a failed round is not finished. The next review is
 * due at once, and treats the round as if it had just failed.
 */
export const failedRoundUnfinished = -1;

/** A result that has just arrived: its region, and when it arrived (epoch milliseconds). */
export interface ArrivedReport {
  region: number;
  at: number;
}

/**
 * Reads all facts that a monitor's alerts depend on, as they are at `at` (epoch milliseconds). A probe's result may
 * arrive long after its check. The monitor's verdict then leaves out the regions that are silent when the result
 * arrives. A message names the same regions as silent: those that are silent at `arrived.at`, not at `at`.
 */
export async function loadFacts(
  trx: Transaction<Tables>,
  seq: number,
  { at, failed, arrived }: { at: number; failed: boolean; arrived?: ArrivedReport | undefined },
): Promise<LoadedFacts> {
  const monitor = await trx.selectFrom('monitor').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const state = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', seq).executeTakeFirstOrThrow();
  const outage =
    state.status === 'down'
      ? await trx
          .selectFrom('outage')
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
      // An alert opens only after a failed check. A silent heartbeat has no checks, so `seenFailing` is always true for
      // a heartbeat.
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
      since: state.since,
      intervalMs: fields.interval * 1000,
      now: arrived?.at ?? at,
      reporting: arrived?.region ?? null,
    },
    expiryReviewAt: { next: expiry.reviewAt, kept: state.expiry_review_at },
  };
}

/**
 * Resolves with the faults of the monitor's certificate and domain, and with the next time at which they change by
 * themselves (`reviewAt`). `unseen` has the triggers about which nothing is known yet.
 */
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
    const certificate = withPossibleTimes(JSON.parse(state.certificate) as SeenCertificate);
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
