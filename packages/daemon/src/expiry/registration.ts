import type { BlockList, LookupFunction } from 'node:net';
import type { BootstrapData, LookupOptions, LookupResult } from 'rdapper';
import type { Clock } from '../deps.ts';
import { findWhoisServer, ianaWhois } from './whois.ts';

/** A registry's answer about a domain. */
export interface Registration {
  /** Null if the registry gave no date. */
  expiresAt: number | null;
  registrar: string | null;
  /** Why there is no date; null if there is one. */
  error: string | null;
  /** True if the registry gives no dates at all, so that asking again soon is useless. */
  unsupported: boolean;
}

/** Asks the registry of a domain for the domain's expiry date. Never throws. */
export type ReadRegistration = (domain: string, signal?: AbortSignal) => Promise<Registration>;

export interface RegistryOptions {
  clock: Clock;
  /** Address of the list of RDAP servers; null for IANA's list. */
  bootstrapUrl: string | null;
  blockList: BlockList;
  lookup: LookupFunction;
  /** The server that lists the WHOIS servers. Default: IANA's. */
  whoisRoot?: { host: string; port: number };
}

/** https://www.iana.org/help/rdap-registry (RFC 9224) */
const ianaList = 'https://data.iana.org/rdap/dns.json';
const listKeptMs = 24 * 3_600_000;
/** Time for one request, and for all requests about one domain. */
const limits = { timeoutMs: 10_000, deadlineMs: 30_000 };

/**
 * Reads when domains expire: by RDAP (RFC 9082), or by WHOIS (RFC 3912) if the registry has no RDAP server. The list of
 * RDAP servers is cached for a day. RDAP and WHOIS requests never reach an address in `blockList`. The WHOIS client
 * opens its own sockets, so it gets an address that was already checked, and follows no referrals.
 */
export function createRegistrationReader(options: RegistryOptions): ReadRegistration {
  const { clock } = options;
  let loading: Promise<typeof fetch> | null = null;
  const customFetch: typeof fetch = async (input, init) => (await (loading ??= loadFetch(options)))(input, init);
  let kept: { list: BootstrapData; untilMonoMs: number } | null = null;

  async function serverList(): Promise<BootstrapData> {
    if (kept && clock.monotonicMs() < kept.untilMonoMs) return kept.list;
    const url = options.bootstrapUrl ?? ianaList;
    const answer = await customFetch(url, { signal: AbortSignal.timeout(limits.timeoutMs) });
    const list = (await answer.json()) as BootstrapData;
    if (!answer.ok || !Array.isArray(list?.services)) throw new Error(`${url} answered ${answer.status}`);
    kept = { list, untilMonoMs: clock.monotonicMs() + listKeptMs };
    return list;
  }

  return async (domain, signal) => {
    let list: BootstrapData;
    try {
      list = await serverList();
    } catch (error) {
      return nothing(`The list of RDAP servers cannot be read: ${reason(error)}`);
    }
    const { lookup } = await import('rdapper');
    const ask = (how: LookupOptions) =>
      lookup(domain, {
        ...limits,
        ...how,
        customFetch,
        customBootstrapData: list,
        rdapFollowLinks: false,
        ...(signal && { signal }),
      });
    const byRdap = await ask({ rdapOnly: true });
    const hasRdap = byRdap.ok || byRdap.attempts.some(({ phase }) => phase === 'rdap');
    return hasRdap ? read(domain, byRdap) : askByWhois(domain, ask, options, signal);
  };
}

async function askByWhois(
  domain: string,
  ask: (how: LookupOptions) => Promise<LookupResult>,
  { blockList, lookup: byName, whoisRoot = ianaWhois }: RegistryOptions,
  stopping?: AbortSignal,
): Promise<Registration> {
  const { getDomainParts } = await import('rdapper');
  const suffix = getDomainParts(domain).publicSuffix ?? '';
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), ...(stopping ? [stopping] : [])]);
  try {
    const tld = suffix.split('.').at(-1) ?? '';
    const server = await findWhoisServer(tld, whoisRoot, { blockList, lookup: byName, signal });
    if (server === null) return { ...nothing(noDates(domain)), unsupported: true };
    return read(domain, await ask({ whoisOnly: true, followWhoisReferral: false, whoisHints: { [suffix]: server } }));
  } catch (error) {
    return nothing(`The registry of ${domain} cannot be asked: ${reason(error)}`);
  }
}

/** Loads the HTTP client, which only a process that asks registries needs. */
async function loadFetch({ blockList, lookup: byName }: RegistryOptions): Promise<typeof fetch> {
  const { createGuardedFetch } = await import('../guarded-fetch.ts');
  return createGuardedFetch({ blockList, lookup: byName });
}

function read(domain: string, { ok, record, error, errorCode }: LookupResult): Registration {
  if (!ok || !record) {
    const unsupported = errorCode === 'no_server';
    return { ...nothing(`The registry of ${domain} cannot be asked: ${error ?? 'it did not answer'}`), unsupported };
  }
  if (!record.isRegistered) return nothing(`${domain} is not registered.`);
  const registrar = record.registrar?.name ?? null;
  const expiresAt = record.expirationDate ? Date.parse(record.expirationDate) : Number.NaN;
  if (Number.isFinite(expiresAt)) return { expiresAt, registrar, error: null, unsupported: false };
  return {
    expiresAt: null,
    registrar,
    error: noDates(domain),
    unsupported: true,
  };
}

const noDates = (domain: string) =>
  `unsupported: the registry of ${domain} does not say when the domain expires. Set domainExpiresOn to be warned.`;

const nothing = (error: string): Registration => ({
  expiresAt: null,
  registrar: null,
  error: error.replaceAll(/\s+/g, ' ').slice(0, 300),
  unsupported: false,
});

/** Returns the reason of an error. `fetch` puts the real error into the `cause` of its error. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
