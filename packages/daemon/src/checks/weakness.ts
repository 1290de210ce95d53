import type { X509Certificate } from 'node:crypto';

/**
 * OpenSSL's security level 2, which is Node's default, requires keys with 112 bits of security. RSA and EC keys need at
 * least these lengths.
 */
const minRsaBits = 2048;
const minEcBits = 224;
const weakCurves: Record<string, number> = { prime192v1: 192, secp192k1: 192, secp160r1: 160, secp160k1: 160 };

/** Returns why a certificate is below OpenSSL's security level; null if it is not. */
export function weakness(certificate: X509Certificate): string | null {
  const { modulusLength, namedCurve } = certificate.publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && modulusLength < minRsaBits) return `its key has ${modulusLength} bits`;
  if (namedCurve !== undefined && (weakCurves[namedCurve] ?? minEcBits) < minEcBits)
    return `its key is on the curve ${namedCurve}`;
  // The signature of a root certificate does not matter.
  const digest = certificate.subject === certificate.issuer ? '' : (certificate.signatureAlgorithm ?? '');
  return /md5|sha-?1(?!\d)/i.test(digest) ? `it is signed by ${digest}` : null;
}
