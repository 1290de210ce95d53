const day = 86_400_000;

/** How long a page keeps a domain that does not point to this server, if another project wants the domain. */
export const claimLastsMs = 7 * day;

/** A page that holds a domain. */
export interface Holder {
  project_id: string;
  domain_status: 'pending' | 'active' | 'error' | null;
  domain_pointed_at: number | null;
}

/**
 * Whether a holder must give its domain to a page of the project `claimant`. `proven` lists the projects in the
 * domain's TXT records. A project with such a record always wins, unless the holder's project has one too. Without a
 * record, only an expired claim gives way.
 */
export function givesWay(
  holder: Holder,
  claimant: string,
  { proven, now }: { proven: readonly string[]; now: number },
): boolean {
  if (holder.project_id === claimant) return false;
  if (proven.includes(holder.project_id)) return false;
  return proven.includes(claimant) || hasExpired(holder, now);
}

const hasExpired = ({ domain_status, domain_pointed_at }: Holder, now: number): boolean =>
  domain_status !== 'active' && now - (domain_pointed_at ?? now) >= claimLastsMs;
