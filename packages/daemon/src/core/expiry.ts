import type { CheckError } from '@uptime/sdk/contract';
import type { Fault } from './alerts.ts';
import { domainSubject } from './is-notified.ts';
import { dayMs } from './uptime.ts';

/** A fault of a certificate or a domain, with the message that reports it. */
export interface ExpiryFault extends Fault {
  message: string;
}

/** The facts that alerts need about a certificate. */
export interface KnownCertificate {
  subject: string;
  validTo: number;
  /** Identifies the certificate. */
  fingerprint: string;
  /** Why the certificate cannot be verified, or null. */
  error: CheckError | null;
}

/** The facts that alerts need about a domain registration. */
export interface KnownDomain {
  name: string;
  expiresAt: number;
}

/**
 * Returns the faults of a certificate. The fault `ssl_expiring` can open an alert only before the expiry, but it lasts
 * until another certificate is seen. After the expiry, `ssl_expired` reports the certificate.
 */
export function certificateFaults(certificate: KnownCertificate, thresholdDays: number, now: number): ExpiryFault[] {
  const { validTo, fingerprint: subject, error } = certificate;
  const name = `The certificate (${certificate.subject})`;
  const expired = now >= validTo || error?.code === 'tls_expired';
  const faults: ExpiryFault[] = [];
  if (now >= validTo - thresholdDays * dayMs) {
    const message = `${name} expires ${inDays(validTo, now)}.`;
    faults.push({ trigger: 'ssl_expiring', subject, fires: !expired, message });
  }
  if (expired) {
    const message =
      now >= validTo ? `${name} expired on ${day(validTo)}.` : `${error?.message ?? 'Its chain expired'}.`;
    faults.push({ trigger: 'ssl_expired', subject, fires: true, message });
  }
  if (error && error.code !== 'tls_expired')
    faults.push({ trigger: 'ssl_invalid', subject, fires: true, message: error.message });
  return faults;
}

/**
 * Returns the faults of a domain registration. The expiry date is part of `subject`, so each date leads to alerts of
 * its own.
 */
export function domainFaults(domain: KnownDomain, thresholdDays: number, now: number): ExpiryFault[] {
  const { name, expiresAt } = domain;
  const subject = domainSubject(name, day(expiresAt));
  const expired = now >= expiresAt;
  const faults: ExpiryFault[] = [];
  if (now >= expiresAt - thresholdDays * dayMs) {
    const message = `The registration of ${name} expires ${inDays(expiresAt, now)}.`;
    faults.push({ trigger: 'domain_expiring', subject, fires: !expired, message });
  }
  if (expired) {
    const message = `The registration of ${name} expired on ${day(expiresAt)}.`;
    faults.push({ trigger: 'domain_expired', subject, fires: true, message });
  }
  return faults;
}

/**
 * Returns the next time at which the faults of these certificates and domains change by themselves: the next warning
 * threshold or expiry. Returns null if all these times have passed.
 */
export function nextExpiryReview(
  expiries: readonly { expiresAt: number; thresholdDays: number }[],
  now: number,
): number | null {
  const ahead = expiries
    .flatMap(({ expiresAt, thresholdDays }) => [expiresAt - thresholdDays * dayMs, expiresAt])
    .filter((at) => at > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

function inDays(at: number, now: number): string {
  const days = Math.floor((at - now) / dayMs);
  return `on ${day(at)}, in ${days === 1 ? '1 day' : `${days} days`}`;
}
