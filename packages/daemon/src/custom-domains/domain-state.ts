import type { StatusPageRow } from '../store/tables.ts';
import type { CertificateState } from './parsed-certificate.ts';
import { type ProofRecord, proofRecord } from './proof.ts';

export interface DomainState {
  status: 'pending' | 'active' | 'error';
  error: string | null;
  /** Whether the name is the top of its zone, where no CNAME is possible. */
  apex: boolean;
  /** The TXT record by which the owner can prove that the name belongs to the page's project. */
  txt: ProofRecord;
}

type PageDomain = Pick<StatusPageRow, 'project_id' | 'custom_domain' | 'domain_status' | 'domain_error'>;

/**
 * Resolves with the state of a page's domain; null for a page without a domain. The state depends on where the domain
 * points. If it points here and this server orders certificates, the state also depends on the certificate.
 */
export async function domainState(
  { project_id, custom_domain: name, domain_status, domain_error }: PageDomain,
  certificateOf: ((name: string) => CertificateState) | null,
): Promise<DomainState | null> {
  if (name === null) return null;
  const { isApex } = await import('./is-apex.ts');
  const of = { apex: isApex(name), txt: proofRecord(name, project_id) };
  if (domain_status !== 'active' || !certificateOf)
    return { status: domain_status ?? 'pending', error: domain_error, ...of };
  return { ...ofCertificate(certificateOf(name)), ...of };
}

function ofCertificate({ ready, expiresAt, error, wait }: CertificateState): Pick<DomainState, 'status' | 'error'> {
  const waiting = wait && `${wait.reason}; the next attempt follows at ${new Date(wait.until).toISOString()}`;
  const before = error === null ? '' : `${error.replace(/\.$/, '')}. `;
  const why = waiting === null ? (error ?? '') : `${before}${waiting}`;
  if (ready) return { status: 'active', error: error === null ? null : `The certificate could not be renewed: ${why}` };
  if (expiresAt !== null) {
    const expired = `The certificate expired at ${new Date(expiresAt).toISOString()}`;
    return { status: 'error', error: why === '' ? `${expired}, and a new one is ordered.` : `${expired}: ${why}` };
  }
  if (wait !== null)
    return { status: 'pending', error: `The domain points to this server, and waits for its certificate: ${why}.` };
  if (error === null) return { status: 'pending', error: null };
  return {
    status: 'error',
    error: `The domain points to this server, but there is no certificate for it yet: ${error}`,
  };
}
