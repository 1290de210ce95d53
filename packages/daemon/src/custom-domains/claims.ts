import { dayMs } from '../core/uptime.ts';

/** How long a page keeps a domain that does not point to this server, if another project wants the domain. */
export const claimLastsMs = 7 * dayMs;

/** The page that has a domain now. */
export interface Holder {
  project_id: string;
  domain_status: 'pending' | 'active' | 'error' | null;
  domain_pointed_at: number | null;
}

/**
 * Whether the page that has a domain must give it to a page of the project `claimant`. `proven` lists the projects in
 * the domain's TXT records. A project with such a record always gets the domain, unless the holder's project has a
 * record too. A project without a record gets the domain only if the domain has not pointed here for `claimLastsMs`.
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
