/** In a certificate, years have four digits. So its times lie between these two times (epoch milliseconds). */
export const earliestCertificateTime = Date.parse('0000-01-01T00:00:00.000Z');
export const latestCertificateTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the certificate with times between the two above, so that they can be stored and shown as dates. A time that
 * is not a number comes from a malformed date. It becomes the earliest `validFrom` or the latest `validTo`, so it
 * does not limit the validity. The certificate fails verification because of that date.
 */
export const withPossibleTimes = <C extends { validFrom: number; validTo: number }>(certificate: C): C => ({
  ...certificate,
  validFrom: possible(certificate.validFrom, earliestCertificateTime),
  validTo: possible(certificate.validTo, latestCertificateTime),
});

const possible = (at: number, unreadable: number): number =>
  Number.isFinite(at) ? Math.min(Math.max(Math.round(at), earliestCertificateTime), latestCertificateTime) : unreadable;
