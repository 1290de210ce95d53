import type { TLSSocket } from 'node:tls';
import type { SeenCertificate } from './check.ts';
import { CheckFailure, oneLine } from './failure.ts';
import { verificationFailure } from './tls-failure.ts';

/** OpenSSL's security level 2, Node's default, asks for keys of 112 bits of security. */
const leastRsaBits = 2048;
const leastEcBits = 224;
const weakCurves: Record<string, number> = { prime192v1: 192, secp192k1: 192, secp160r1: 160, secp160k1: 160 };

/** The certificate that a connected TLS socket shows, whether or not it verified; null when it shows none. */
export function readCertificate(socket: TLSSocket): SeenCertificate | null {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  // Node types it as an Error, but it is the error's code.
  const reason = socket.authorized ? null : String(socket.authorizationError);
  const failure = verificationFailure(reason, reason !== null && isWeak(certificate));
  return {
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
    issuer: oneLine(certificate.issuer?.replaceAll('\n', ', ') ?? ''),
    subject: oneLine(certificate.subject?.replaceAll('\n', ', ') ?? ''),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    error: failure && { code: failure.code, message: oneLine(failure.message + validity(failure, certificate)) },
  };
}

type Certificate = NonNullable<ReturnType<TLSSocket['getPeerX509Certificate']>>;

/** What a person needs to know to mend it. */
function validity({ code }: CheckFailure, certificate: Certificate): string {
  if (code === 'tls_expired') return ` (the server's own is valid until ${certificate.validToDate.toISOString()})`;
  if (code === 'tls_not_yet_valid')
    return ` (the server's own is valid from ${certificate.validFromDate.toISOString()})`;
  if (code === 'tls_hostname') return ` (it is for ${certificate.subjectAltName ?? certificate.subject})`;
  return '';
}

function isWeak(certificate: Certificate): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType === 'rsa' || asymmetricKeyType === 'dsa')
    return (asymmetricKeyDetails?.modulusLength ?? 0) < leastRsaBits || weakDigest(certificate);
  const curve = asymmetricKeyDetails?.namedCurve ?? '';
  return (weakCurves[curve] ?? leastEcBits) < leastEcBits || weakDigest(certificate);
}

const weakDigest = (certificate: Certificate) => /md5|sha-?1(?!\d)/i.test(certificate.signatureAlgorithm ?? '');

/** The failure that a certificate's own error stands for. */
export const certificateFailure = (certificate: SeenCertificate): CheckFailure | null =>
  certificate.error && new CheckFailure(certificate.error.code, certificate.error.message);
