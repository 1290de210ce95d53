import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import { withPossibleTimes } from '../core/certificate-times.ts';
import type { SeenCertificate } from './check.ts';
import { CheckFailure, codeOf, oneLine } from './failure.ts';
import { nameOf, verificationFailure } from './tls-failure.ts';

/** Returns the certificate that a connected TLS socket received, even if it is not valid; null if there is none. */
export const readCertificate = (socket: TLSSocket, host: string): SeenCertificate | null =>
  // Node's types declare `authorizationError` as an Error, but it is an error code.
  read(socket, host, socket.authorized ? null : String(socket.authorizationError));

/**
 * Returns the certificate of a handshake that failed after the server had sent the certificate. Node verifies a
 * certificate only after a complete handshake. So this function does the same as Node would do then: it asks the
 * socket's internal handle whether the certificate is valid. Returns null if there is no certificate, or if the handle
 * cannot verify it.
 */
export function readUnfinished(socket: TLSSocket, host: string): SeenCertificate | null {
  const { _handle: handle } = socket as unknown as { _handle?: { verifyError?: () => Error | null } | null };
  if (!handle?.verifyError) return null;
  const error = handle.verifyError() ?? checkServerIdentity(host, socket.getPeerCertificate());
  return read(socket, host, error ? codeOf(error) || error.message : null);
}

function read(socket: TLSSocket, host: string, reason: string | null): SeenCertificate | null {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  const failure = reason === null ? null : verificationFailure(reason, () => chainOf(socket));
  const times = timesOf(certificate);
  const about = { certificate, ...times };
  return {
    ...times,
    issuer: oneLine(certificate.issuer?.replaceAll('\n', ', ') ?? ''),
    subject: oneLine(nameOf(certificate)),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    error: failure && { code: failure.code, message: oneLine(failure.message + details(failure, about, host)) },
  };
}

/**
 * Returns the times of a certificate. For a malformed date, Node's text says "Bad time value", but its `Date` can be
 * any date, because Node reads memory that nothing has written. So only the text shows whether a date is readable.
 */
export const timesOf = ({ validFrom, validFromDate, validTo, validToDate }: CertificateDates) =>
  withPossibleTimes({
    validFrom: isReadable(validFrom) ? validFromDate.getTime() : NaN,
    validTo: isReadable(validTo) ? validToDate.getTime() : NaN,
  });

type CertificateDates = Pick<X509Certificate, 'validFrom' | 'validFromDate' | 'validTo' | 'validToDate'>;

const isReadable = (text: string): boolean => !Number.isNaN(Date.parse(text));

/**
 * Returns the chain from the server's own certificate up to the root. It contains the certificates that the server
 * sent, and the root if this machine knows it.
 */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain = new Map<string, X509Certificate>();
  let at: { raw: Buffer; fingerprint256: string; issuerCertificate?: typeof at } | undefined =
    socket.getPeerCertificate(true);
  // A root is its own issuer.
  for (; at && !chain.has(at.fingerprint256); at = at.issuerCertificate)
    chain.set(at.fingerprint256, new X509Certificate(at.raw));
  return [...chain.values()];
}

/** Returns the details that help a person to fix the failure. */
function details(
  { code }: CheckFailure,
  { certificate, validFrom, validTo }: { certificate: X509Certificate; validFrom: number; validTo: number },
  host: string,
): string {
  if (code === 'tls_expired')
    return ` (the server's own certificate is valid until ${new Date(validTo).toISOString()})`;
  if (code === 'tls_not_yet_valid')
    return ` (the server's own certificate is valid from ${new Date(validFrom).toISOString()})`;
  if (code === 'tls_hostname') return ` (asked for ${host.slice(0, 100)}; it is for ${hostsOf(certificate)})`;
  return '';
}

/** Returns the hosts that a certificate names, as many as fit on a line. */
function hostsOf(certificate: X509Certificate): string {
  const named = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  const all = named.length > 0 ? named : [nameOf(certificate)];
  const shown: string[] = [];
  let room = 120;
  for (const name of all) {
    room -= name.length + 2;
    if (room < 0 && shown.length > 0) break;
    shown.push(name.slice(0, 100));
  }
  const more = all.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns the failure of a check for a certificate's error; null if the certificate has no error. */
export const certificateFailure = (certificate: SeenCertificate): CheckFailure | null =>
  certificate.error && new CheckFailure(certificate.error.code, certificate.error.message);
