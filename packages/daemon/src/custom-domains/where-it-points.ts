import { isIP } from 'node:net';
import { startDeadline } from '../checks/deadline.ts';
import { CheckFailure } from '../checks/failure.ts';
import type { Resolver } from '../checks/resolver.ts';
import type { Clock } from '../deps.ts';
import { noneIfAbsent } from './none-if-absent.ts';
import { bareHost } from './own-names.ts';

/** Where a name points, and by which records. `unknown`: the name servers failed, so this could not be found out. */
export type Direction =
  | { points: 'here'; by: 'cname' | 'address' }
  | { points: 'elsewhere'; reason: string }
  | { points: 'unknown'; reason: string };

/** Longest time for all DNS lookups of one name. */
const lookupTimeoutMs = 10_000;
/** Maximum number of CNAMEs that are followed for one name. Real names have fewer. */
const maxAliases = 8;

/**
 * Finds out whether a name points to the public host. It follows the CNAMEs of the name. If they do not lead to the
 * public host, it compares the addresses of the name and of the public host. This is necessary for an apex domain,
 * which cannot have a CNAME. It does not throw if a lookup fails.
 */
export async function whereItPoints(
  name: string,
  publicHost: string,
  { resolver, clock, signal }: { resolver: Resolver; clock: Clock; signal: AbortSignal },
): Promise<Direction> {
  const target = bareHost(publicHost);
  const deadline = startDeadline(clock, lookupTimeoutMs, signal);
  try {
    let alias = name;
    for (let count = 0; count < maxAliases; count++) {
      const next = await aliasOf(alias, (host) => resolver.records(host, 'CNAME', null, deadline));
      if (next === null) break;
      if (next === target) return { points: 'here', by: 'cname' };
      alias = next;
    }
    const via = alias === name ? name : `${name}, an alias of ${alias},`;
    const addresses = async (host: string) =>
      isIP(host) ? [host] : (await resolver.addresses(host, deadline)).map(({ address }) => address);
    const found = await addresses(alias).catch(noneIfAbsent);
    if (!found)
      return { points: 'elsewhere', reason: `${via} has no address in the DNS: ${await recordAdvice(name, target)}.` };
    const own = await addresses(target).catch(noneIfAbsent);
    if (!own)
      return {
        points: 'unknown',
        reason: `${name} should point to ${target}, but ${target} itself has no address in the DNS.`,
      };
    const strange = found.filter((address) => !own.includes(address));
    if (strange.length === 0) return { points: 'here', by: 'address' };
    const advice = await recordAdvice(name, target);
    return { points: 'elsewhere', reason: `${via} leads to ${strange.join(', ')}, which is not ${target}: ${advice}.` };
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return {
      points: 'unknown',
      reason: `${name} could not be looked up (${error.message}). It will be looked up again soon.`,
    };
  } finally {
    deadline.end();
  }
}

async function recordAdvice(name: string, target: string): Promise<string> {
  if (isIP(target)) return `give it an address record of ${target}`;
  const { isApex } = await import('./is-apex.ts');
  if (isApex(name)) return `give it an ALIAS record that points at ${target}, or A and AAAA records with its addresses`;
  return `give it a CNAME record that points at ${target}`;
}

async function aliasOf(name: string, cname: (name: string) => Promise<string[]>): Promise<string | null> {
  const [alias] = (await cname(name).catch(noneIfAbsent)) ?? [];
  return alias === undefined ? null : bareHost(alias);
}
