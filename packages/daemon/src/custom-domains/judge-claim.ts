import { startDeadline } from '../checks/deadline.ts';
import { CheckFailure } from '../checks/failure.ts';
import type { Resolver } from '../checks/resolver.ts';
import type { Clock } from '../deps.ts';
import type { OwnNames } from './own-names.ts';
import { proofAdvice, provenProjects } from './proof.ts';
import { whereItPoints } from './where-it-points.ts';

/** Whether a page may be served on its domain. `unknown`: the name servers failed, so this could not be found out. */
export type Verdict = { served: true } | { served: false | 'unknown'; reason: string };

export interface Claim {
  name: string;
  /** The id of the page's project. */
  project: string;
}

export interface ClaimOptions {
  resolver: Resolver;
  clock: Clock;
  publicHost: () => string;
  ownNames: OwnNames;
  signal: AbortSignal;
}

/** Longest time for the lookup of the TXT records. */
const proofTimeoutMs = 5000;

/**
 * Decides by DNS records whether a page may be served on a name. Usually a CNAME to the public host is enough. A name
 * in the operator's own domain also needs the TXT record of the project. So does a name that has the addresses of the
 * public host but no CNAME to it.
 */
export async function judgeClaim({ name, project }: Claim, options: ClaimOptions): Promise<Verdict> {
  const { ownNames, publicHost } = options;
  if (ownNames.isOwn(name)) return { served: false, reason: `${name} is a host of this server itself.` };
  const direction = await whereItPoints(name, publicHost(), options);
  if (direction.points === 'unknown') return { served: 'unknown', reason: direction.reason };
  if (direction.points === 'elsewhere') {
    // DNS allows no CNAME for an apex domain. Such a domain can only point here by its addresses, so its owner will
    // also need the TXT record.
    const { isApex } = await import('./is-apex.ts');
    const also = isApex(name) ? ` To prove that it is yours, ${proofAdvice(name, project)}.` : '';
    return { served: false, reason: `${direction.reason}${also}` };
  }
  const reserved = await ownNames.isReserved(name);
  if (direction.by === 'cname' && !reserved) return { served: true };
  const proven = await findProofs(name, options);
  if (!Array.isArray(proven)) return { served: 'unknown', reason: proven.reason };
  if (proven.includes(project)) return { served: true };
  const why = reserved
    ? `${name} points to this server, but this name is part of the domain of this server's operator.`
    : `${name} points to this server by its addresses, which do not show who owns the name.`;
  return { served: false, reason: `${why} To prove that it is yours, ${proofAdvice(name, project)}.` };
}

/** Resolves with the projects in the TXT records of a name, or with the reason why the records could not be read. */
export async function findProofs(
  name: string,
  { resolver, clock, signal }: Pick<ClaimOptions, 'resolver' | 'clock' | 'signal'>,
): Promise<string[] | { reason: string }> {
  const deadline = startDeadline(clock, proofTimeoutMs, signal);
  try {
    return await provenProjects(name, resolver, deadline);
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return { reason: `The TXT record could not be looked up (${error.message}). It will be looked up again soon.` };
  } finally {
    deadline.end();
  }
}
