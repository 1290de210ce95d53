import { isIP } from 'node:net';
import { startDeadline } from '../checks/deadline.ts';
import { CheckFailure } from '../checks/failure.ts';
import { asciiHost, type Resolver } from '../checks/resolver.ts';
import type { Clock } from '../deps.ts';

/** Where a name was seen to point. `unknown` is a fault of the way there, and no evidence. */
export type Sight = { points: 'here' } | { points: 'elsewhere' | 'unknown'; reason: string };

/** Milliseconds for all the lookups of one name. */
const patience = 10_000;
/** More aliases in a row than anybody needs. */
const mostAliases = 8;

/**
 * Follows a name's CNAMEs to the public host, or, for a name that can have none (an apex), compares its addresses with
 * the host's own. Never throws for what the DNS says or fails to say.
 */
export async function whereItPoints(
  name: string,
  publicHost: string,
  { resolver, clock, signal }: { resolver: Resolver; clock: Clock; signal: AbortSignal },
): Promise<Sight> {
  const target = bare(asciiHost(publicHost));
  const advice = isIP(target)
    ? `give it an address record of ${target}`
    : `give it a CNAME record that points at ${target}`;
  const deadline = startDeadline(clock, patience, signal);
  try {
    let alias = name;
    for (let count = 0; count < mostAliases; count++) {
      const next = await aliasOf(alias, (host) => resolver.records(host, 'CNAME', null, deadline));
      if (next === null) break;
      if (next === target) return { points: 'here' };
      alias = next;
    }
    const via = alias === name ? name : `${name}, an alias of ${alias},`;
    const addresses = async (host: string) =>
      isIP(host) ? [host] : (await resolver.addresses(host, deadline)).map(({ address }) => address);
    const found = await addresses(alias).catch(noneIfAbsent);
    if (!found) return { points: 'elsewhere', reason: `${via} has no address in the DNS: ${advice}.` };
    const own = await addresses(target).catch(noneIfAbsent);
    if (!own)
      return { points: 'unknown', reason: `${target}, where it is to point, has no address in the DNS itself.` };
    const strange = found.filter((address) => !own.includes(address));
    if (strange.length === 0) return { points: 'here' };
    return { points: 'elsewhere', reason: `${via} leads to ${strange.join(', ')}, which is not ${target}: ${advice}.` };
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return { points: 'unknown', reason: `It could not be looked up (${error.message}), and is tried again soon.` };
  } finally {
    deadline.end();
  }
}

const bare = (host: string) => host.toLowerCase().replace(/\.$/, '');

async function aliasOf(name: string, cname: (name: string) => Promise<string[]>): Promise<string | null> {
  const [alias] = (await cname(name).catch(noneIfAbsent)) ?? [];
  return alias === undefined ? null : bare(alias);
}

/** That a name or a record does not exist is an answer; whatever else went wrong is not. */
function noneIfAbsent(error: unknown): null {
  if (error instanceof CheckFailure && ['dns_not_found', 'dns_no_data'].includes(error.code)) return null;
  throw error;
}
