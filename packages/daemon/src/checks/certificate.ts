import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import type { SeenCertificate } from './check.ts';
import { CheckFailure, codeOf, oneLine } from './failure.ts';
import { nameOf, verificationFailure } from './tls-failure.ts';

/** The certificate that a connected TLS socket shows, whether or not it verified; null when it shows none. */
export const readCertificate = (socket: TLSSocket): SeenCertificate | null =>
  // Node types it as an Error, but it is the error's code.
  read(socket, socket.authorized ? null : String(socket.authorizationError));

/**
 * The certificate of a handshake that failed after the server had shown it. Node judges one only once the handshake is
 * complete, so its handle is asked here, as Node itself does then; null when it shows none, or cannot be judged.
 */
export function readUnfinished(socket: TLSSocket, host: string): SeenCertificate | null {
  const { _handle: handle } = socket as unknown as { _handle?: { verifyError?: () => Error | null } | null };
  if (!handle?.verifyError) return null;
  const error = handle.verifyError() ?? checkServerIdentity(host, socket.getPeerCertificate());
  return read(socket, error ? codeOf(error) || error.message : null);
}

function read(socket: TLSSocket, reason: string | null): SeenCertificate | null {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  const failure = reason === null ? null : verificationFailure(reason, () => chainOf(socket));
  return {
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
    issuer: oneLine(certificate.issuer?.replaceAll('\n', ', ') ?? ''),
    subject: oneLine(nameOf(certificate)),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    error: failure && { code: failure.code, message: oneLine(failure.message + validity(failure, certificate)) },
  };
}

/** The server's own certificate, and what leads from it to the root: as it sent them, the root also as it is known here. */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain = new Map<string, X509Certificate>();
  let at: { raw: Buffer; fingerprint256: string; issuerCertificate?: typeof at } | undefined =
    socket.getPeerCertificate(true);
  // A root is its own issuer.
  for (; at && !chain.has(at.fingerprint256); at = at.issuerCertificate)
    chain.set(at.fingerprint256, new X509Certificate(at.raw));
  return [...chain.values()];
}

/** What a person needs to know to mend it. */
function validity({ code }: CheckFailure, certificate: X509Certificate): string {
  if (code === 'tls_expired') return ` (the server's own is valid until ${certificate.validToDate.toISOString()})`;
  if (code === 'tls_not_yet_valid')
    return ` (the server's own is valid from ${certificate.validFromDate.toISOString()})`;
  if (code === 'tls_hostname') return ` (it is for ${certificate.subjectAltName ?? certificate.subject})`;
  return '';
}

/** The failure that a certificate's own error stands for. */
export const certificateFailure = (certificate: SeenCertificate): CheckFailure | null =>
  certificate.error && new CheckFailure(certificate.error.code, certificate.error.message);
