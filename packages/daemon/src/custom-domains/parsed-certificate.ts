import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { OrderWait } from './order-limits.ts';

export interface ParsedCertificate {
  context: SecureContext;
  /** When two thirds of the certificate's life are over, and a new certificate is ordered. */
  renewAt: number;
  expiresAt: number;
}

export interface CertificateState {
  /** Whether there is a certificate that has not expired. */
  ready: boolean;
  /** When the stored certificate expires or expired; null if there is no certificate. */
  expiresAt: number | null;
  /** Why the last order failed; null after a success. */
  error: string | null;
  /** Why the next order has to wait, and when the wait ends; null if it does not have to wait. */
  wait: OrderWait | null;
}

/** Reads a key with its chain. Throws if the certificate does not match the name or the key. */
export function parseCertificate(name: string, pem: string): ParsedCertificate {
  const certificate = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')));
  if (certificate.checkHost(name) === undefined) throw new Error(`The certificate is not for ${name}.`);
  if (!certificate.checkPrivateKey(createPrivateKey(pem)))
    throw new Error('The certificate does not belong to its key.');
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return {
    context: createSecureContext({ key: pem, cert: pem }),
    renewAt: from + ((to - from) * 2) / 3,
    expiresAt: to,
  };
}
