/** How many attempts a caller made in the present window, on all nodes together. */
export interface AttemptCountTable {
  /** A digest of the caller and of the operation that it attempts. */
  scope: string;
  /** When the window ends. */
  until: number;
  count: number;
}

/** Which node does work that only one node may do at a time. */
export interface LeaseTable {
  name: string;
  /** The node's name. */
  holder: string;
  until: number;
}

/**
 * Files that all nodes share: certificates, counts of certificate orders, and the key of the ACME account. See
 * custom-domains/database-certificates.ts.
 */
export interface CertificateFileTable {
  name: string;
  /** Encrypted. */
  body: string;
  /** A value that changes with each write. */
  version: string;
  written_at: number;
}

/** The fingerprint of the secret key with which a node started. The key cannot be computed from the fingerprint. */
export interface KeyFingerprintTable {
  /** The node's name. */
  instance: string;
  fingerprint: string;
  started_at: number;
}

/** The answer to a challenge of a certificate authority. The authority may ask any node for the answer. */
export interface CertificateProofTable {
  token: string;
  proof: string;
  /** When the row is deleted at the latest. Usually, the end of the certificate order deletes it earlier. */
  until: number;
}
