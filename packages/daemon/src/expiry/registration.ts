import type { BlockList, LookupFunction } from 'node:net';
import { type BootstrapData, lookup, type LookupOptions, type LookupResult } from 'rdapper';
import type { Clock } from '../deps.ts';

/** What a registry said of a domain. */
export interface Registration {
  /** Epoch milliseconds; null where the registry did not say. */
  expiresAt: number | null;
  registrar: string | null;
  /** Why there is no date; null where there is one. */
  error: string | null;
  /** The registry gives no dates to anyone: asking again soon is no use. */
  unsupported: boolean;
}

/** Asks the registry of a domain; never throws. */
export type ReadRegistration = (domain: string, signal?: AbortSignal) => Promise<Registration>;

export interface RegistryOptions {
  clock: Clock;
  /** Where RDAP servers are listed; null for IANA's list. */
  bootstrapUrl: string | null;
  blockList: BlockList;
  lookup: LookupFunction;
}

/** https://www.iana.org/help/rdap-registry (RFC 9224) */
const ianaList = 'https://data.iana.org/rdap/dns.json';
const listKept = 24 * 3_600_000;
/** Milliseconds for one request, and for all that one domain takes. */
const patience = { timeoutMs: 10_000, deadlineMs: 30_000 };

/**
 * Reads when domains expire: by RDAP (RFC 9082), and by WHOIS (RFC 3912) where the registry has no RDAP server. The
 * list of RDAP servers is kept for a day.
 */
export function createRegistrationReader(options: RegistryOptions): ReadRegistration {
  const { clock } = options;
  let loading: Promise<typeof fetch> | null = null;
  const customFetch: typeof fetch = async (input, init) => (await (loading ??= loadFetch(options)))(input, init);
  let kept: { list: BootstrapData; until: number } | null = null;

  async function serverList(): Promise<BootstrapData> {
    if (kept && clock.monotonic() < kept.until) return kept.list;
    const url = options.bootstrapUrl ?? ianaList;
    const answer = await customFetch(url, { signal: AbortSignal.timeout(patience.timeoutMs) });
    const list = (await answer.json()) as BootstrapData;
    if (!answer.ok || !Array.isArray(list?.services)) throw new Error(`${url} answered ${answer.status}`);
    kept = { list, until: clock.monotonic() + listKept };
    return list;
  }

  return async (domain, signal) => {
    let list: BootstrapData;
    try {
      list = await serverList();
    } catch (error) {
      return nothing(`The list of RDAP servers cannot be read: ${reason(error)}`);
    }
    const ask = (how: LookupOptions) =>
      lookup(domain, {
        ...patience,
        ...how,
        customFetch,
        customBootstrapData: list,
        rdapFollowLinks: false,
        ...(signal && { signal }),
      });
    const byRdap = await ask({ rdapOnly: true });
    const hasRdap = byRdap.ok || byRdap.attempts.some(({ phase }) => phase === 'rdap');
    return read(domain, hasRdap ? byRdap : await ask({ whoisOnly: true }));
  };
}

/** Loads what asks, with the first question. */
async function loadFetch({ blockList, lookup: byName }: RegistryOptions): Promise<typeof fetch> {
  const { createGuardedFetch } = await import('../guarded-agent.ts');
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
    error: `unsupported: the registry of ${domain} does not say when it expires. Set domainExpiresOn to be warned.`,
    unsupported: true,
  };
}

const nothing = (error: string): Registration => ({
  expiresAt: null,
  registrar: null,
  error: error.replaceAll(/\s+/g, ' ').slice(0, 300),
  unsupported: false,
});

/** fetch hides what went wrong in the cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
