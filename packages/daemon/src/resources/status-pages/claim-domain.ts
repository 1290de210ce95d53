import type { Transaction } from 'kysely';
import { givesWay } from '../../custom-domains/claims.ts';
import { proofAdvice } from '../../custom-domains/proof.ts';
import { ServiceError } from '../../errors.ts';
import type { Project, Tables } from '../../store/tables.ts';
import type { Backend } from '../handler.ts';

/**
 * The error if another page has the domain. `withProofs` catches it, and looks for a TXT record that gives the domain
 * to the new page.
 */
class DomainTaken extends ServiceError {
  readonly domain: string;

  constructor(domain: string, message: string) {
    super('conflict', message);
    this.domain = domain;
  }
}

/** A page that wants a domain. `self` is the `seq` of the page; null for a page that is not created yet. */
interface DomainClaim {
  domain: string | null;
  self: number | null;
  project: Pick<Project, 'id'>;
  /** The projects that the domain's TXT records name; empty if the records were not looked up. */
  proven: readonly string[];
}

/**
 * Runs a write that may give a page a domain. If another page has the domain, looks up the domain's TXT records outside
 * the transaction, and runs the write once more with the result.
 */
export async function withProofs<T>(
  project: Pick<Project, 'id'>,
  { domains }: Pick<Backend, 'domains'>,
  write: (proven: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await write([]);
  } catch (error) {
    if (!(error instanceof DomainTaken)) throw error;
    const proven = await domains.proofsOf(error.domain);
    if (!proven.includes(project.id)) throw error;
    return write(proven);
  }
}

/**
 * Makes sure that no other page has the domain. If another page has it, the rules in custom-domains/claims.ts decide:
 * this function takes the domain from that page, or throws `conflict` with advice.
 */
export async function claimDomain(
  trx: Transaction<Tables>,
  { domain, self, project, proven }: DomainClaim,
  { deps: { clock, log } }: Pick<Backend, 'deps'>,
): Promise<void> {
  if (domain === null) return;
  const holder = await trx
    .selectFrom('status_page')
    .select(['seq', 'id', 'slug', 'project_id', 'domain_status', 'domain_pointed_at'])
    .where('custom_domain', '=', domain)
    .executeTakeFirst();
  if (!holder || holder.seq === self) return;
  const now = clock.now();
  if (!givesWay(holder, project.id, { proven, now })) throw taken(domain, project, holder, proven);
  await trx
    .updateTable('status_page')
    .set({
      custom_domain: null,
      domain_status: null,
      domain_error: null,
      domain_check_at: null,
      domain_pointed_at: null,
      updated_at: now,
    })
    .where('seq', '=', holder.seq)
    .where('custom_domain', '=', domain)
    .execute();
  log.info({ domain, page: holder.id }, 'the page lost its custom domain to a page of another project');
}

function taken(
  domain: string,
  project: Pick<Project, 'id'>,
  holder: { project_id: string; slug: string },
  proven: readonly string[],
): DomainTaken {
  const message =
    holder.project_id === project.id
      ? `The domain ${domain} is bound to your page "${holder.slug}". Remove it from that page first.`
      : proven.includes(holder.project_id)
        ? `A page of another project has the domain ${domain}. A TXT record _uptime.${domain} names that project. Remove that record, keep your own, then try again.`
        : `The domain ${domain} is bound to another page. To prove that it is yours, ${proofAdvice(domain, project.id)}, then try again.`;
  return new DomainTaken(domain, message);
}
