/** How many attempts a caller made in the present window, on all nodes together. */
export interface AttemptCountTable {
  /** A digest of the caller and of the operation that it attempts. */
  scope: string;
  /** When the window ends. */
  until: number;
  count: number;
}

/** Work that only one node does at a time. */
export interface LeaseTable {
  name: string;
  /** The node's name. */
  holder: string;
  until: number;
}

/**
 * Certificates, counts of certificate orders and the key of the ACME account, for all nodes: see
 * custom-domains/database-certificates.ts.
 */
export interface CertificateFileTable {
  name: string;
  /** Encrypted. */
  body: string;
  /** Changes with each write. */
  version: string;
  written_at: number;
}

/** Which secret key a node started with. It cannot be read from the fingerprint. */
export interface KeyFingerprintTable {
  /** The node's name. */
  instance: string;
  fingerprint: string;
  started_at: number;
}

/** The answer to a challenge of a certificate authority, which may ask any node for it. */
export interface CertificateProofTable {
  token: string;
  proof: string;
  /** When the row is deleted, if the end of the certificate order has not deleted it. */
  until: number;
}
