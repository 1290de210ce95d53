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

/** Certificates, counts of orders and the key of the account, for all nodes: see custom-domains/database-certificates.ts. */
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

/** An answer for a certificate authority, which may ask any node. */
export interface CertificateProofTable {
  token: string;
  proof: string;
  /** When it is removed, if its order does not remove it. */
  until: number;
}
