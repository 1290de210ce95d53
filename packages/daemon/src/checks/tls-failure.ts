import type { X509Certificate } from 'node:crypto';
import type { CheckErrorCode } from '@uptime/sdk/contract';
import { CheckFailure, codeOf } from './failure.ts';
import { weakness } from './weakness.ts';

/** Node's codes for a failed verification of a certificate, each with the code and message of the check's failure. */
const verification: Record<string, [CheckErrorCode, string]> = {
  CERT_HAS_EXPIRED: ['tls_expired', 'the certificate, or another one in its chain, has expired'],
  CERT_NOT_YET_VALID: ['tls_not_yet_valid', 'the certificate, or another one in its chain, is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_hostname', 'the certificate is not for this host name'],
  ERR_TLS_CERT_ALTNAME_FORMAT: ['tls_hostname', 'the certificate names its hosts in a form that cannot be read'],
  HOSTNAME_MISMATCH: ['tls_hostname', 'the certificate is not for this host name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_untrusted', 'the certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls_untrusted', 'the chain ends in a root certificate that is not trusted here'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'tls_incomplete_chain',
    'the server sent its certificate without the intermediate that signed it, or its issuer is not known here',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['tls_untrusted', 'the chain does not lead to a root that is trusted here'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls_untrusted', 'the chain does not lead to a root that is trusted here'],
  CERT_SIGNATURE_FAILURE: ['tls_untrusted', 'a signature in the chain is invalid'],
  CERT_UNTRUSTED: ['tls_untrusted', 'the certificate is not trusted here'],
  CERT_REJECTED: ['tls_untrusted', 'the certificate is rejected here'],
  CERT_REVOKED: ['tls_untrusted', 'the certificate is revoked'],
  INVALID_CA: ['tls_untrusted', 'a certificate in the chain signed another without the right to do so'],
  PATH_LENGTH_EXCEEDED: ['tls_untrusted', 'the chain is longer than one of its certificates allows'],
  CERT_CHAIN_TOO_LONG: ['tls_untrusted', 'the chain is too long'],
  INVALID_PURPOSE: ['tls_purpose', 'the certificate, or another one in its chain, is not for servers'],
};

/**
 * Patterns for OpenSSL's reasons why a handshake failed, each with the code and message of the check's failure. The
 * first pattern that matches decides.
 */
const handshake: [RegExp, CheckErrorCode, string][] = [
  [
    /CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA/,
    'tls_client_cert',
    'the server asks for a client certificate',
  ],
  [
    /KEY_TOO_SMALL|MD_TOO_WEAK|INSUFFICIENT_SECURITY|WRONG_CIPHER_RETURNED|LEGACY_RENEGOTIATION|BAD_DH|DH_P_VALUE|ILLEGAL_OR_UNSUPPORTED_SIGNATURE|WRONG_SIGNATURE_TYPE/,
    'tls_weak',
    "the server's keys or ciphers are too weak",
  ],
  [/UNRECOGNIZED_NAME/, 'tls_hostname', 'the server does not know this host name'],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNSUPPORTED_SSL_VERSION|VERSION_TOO_LOW/,
    'tls_protocol',
    'the server only speaks unsafe versions of TLS',
  ],
  [
    /HANDSHAKE_FAILURE|NO_SHARED_CIPHER|NO_CIPHERS|NO_APPLICATION_PROTOCOL/,
    'tls_protocol',
    'server and checker have no version or cipher in common',
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|RECORD_LAYER|UNKNOWN_PROTOCOL|UNEXPECTED_MESSAGE|BAD_RECORD_TYPE/,
    'tls_protocol',
    'the server does not speak TLS on this port',
  ],
];

/**
 * Converts a verification error of Node to a check's failure. `chain` returns the certificates, the server's own first.
 * The function calls `chain` only if the certificates can explain more.
 */
export function verificationFailure(reason: string, chain: () => readonly X509Certificate[]): CheckFailure {
  if (reason === 'INVALID_PURPOSE') {
    // OpenSSL also reports this code if an issuer in the chain may not sign certificates.
    const issuer = chain().find(({ ca }, place) => place > 0 && !ca);
    if (issuer) {
      const [code, message] = verification['INVALID_CA']!;
      return new CheckFailure(code, `${message} (${nameOf(issuer)} may not sign others)`);
    }
  }
  const known = verification[reason];
  if (known) return new CheckFailure(known[0], known[1]);
  // Node has no code for newer errors of OpenSSL. Their usual cause is a key or digest below OpenSSL's security level.
  for (const [place, certificate] of chain().entries()) {
    const why = weakness(certificate);
    const which = place === 0 ? 'the certificate' : `a certificate of the chain, ${nameOf(certificate)},`;
    if (why !== null) return new CheckFailure('tls_weak', `${which} is too weak: ${why}`);
  }
  return new CheckFailure('tls_other', `the certificate does not verify (${reason})`);
}

/** Returns a certificate's subject on one line. */
export const nameOf = (certificate: X509Certificate): string => certificate.subject?.replaceAll('\n', ', ') ?? '';

/** Whether an error comes from TLS and not from the connection below it. */
export const isTlsError = (error: unknown): boolean => /^ERR_SSL_|^EPROTO$|^ERR_TLS_/.test(codeOf(error));

/**
 * Returns the failure of a check for a TLS error. `certificateSeen` says that the server had sent its certificate. A
 * plain "handshake failure" after the certificate means that the server requires a client certificate, because TLS 1.2
 * has no separate alert for this.
 */
export function tlsFailure(error: unknown, certificateSeen: boolean): CheckFailure {
  const reason = reasonOf(error);
  if (certificateSeen && /ALERT_HANDSHAKE_FAILURE/.test(reason))
    return new CheckFailure('tls_client_cert', 'the server asks for a client certificate');
  const found = handshake.find(([pattern]) => pattern.test(reason));
  if (found) return new CheckFailure(found[1], found[2]);
  const words = reason
    .replace(/^ERR_SSL_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return new CheckFailure('tls_other', `the TLS handshake failed: ${words}`);
}

/** Returns OpenSSL's reason, such as `ERR_SSL_WRONG_VERSION_NUMBER`, from the code or else from the message. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_')) return code;
  const { reason, message } = error as { reason?: unknown; message?: unknown };
  const words = typeof reason === 'string' ? reason : /routines:[^:]*:([^:]+)/.exec(String(message))?.[1];
  return (words ?? code).trim().replaceAll(' ', '_').toUpperCase();
}
