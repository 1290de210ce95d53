import { promises as dns } from 'node:dns';
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { MonitorFields } from '@uptime/sdk/contract';
import type { Clock } from '../deps.ts';
import type { Deadline, Interruption } from './deadline.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { type Address, createHostsFile, systemHostsPath } from './hosts-file.ts';
import { lookupFailure } from './lookup-failure.ts';
import { hasNetwork, outOfDescriptors } from './system-errors.ts';

export type RecordType = MonitorFields<'dns'>['recordType'];

/** Looks names up without getaddrinfo's pool, so that one hung lookup delays no other. */
export interface Resolver {
  /** All addresses of a host name, hosts file first. Throws a CheckFailure; never an empty list. */
  addresses(host: string, deadline: Deadline): Promise<readonly Address[]>;
  /**
   * The records of a name as text: addresses, names, `preference exchange`, TXT chunks joined. `server` is the
   * monitor's own name server as `address:port`, whose silence is a verdict; null asks the checker's own, whose silence
   * is a fault of the checker. Throws a CheckFailure; never an empty list.
   */
  records(name: string, type: RecordType, server: string | null, deadline: Deadline): Promise<string[]>;
}

export interface ClosableResolver extends Resolver {
  /** Cancels what is being asked, which would keep the process alive for up to 7 s. Nothing is asked from now on. */
  close(): void;
}

/** c-ares' own patience is 23 s; this loses a packet three times and gives up after 7. */
const patience = { timeout: 1000, tries: 4, maxTimeout: 2000 };
/** What the other address family may take once one has answered (RFC 8305, resolution delay). */
const resolutionDelay = 50;
/** How long a silent resolver is asked again whether it lives at all. */
const probePatience = 500;
/** Name servers of monitors' own for which a c-ares channel is kept. */
const channelsKept = 200;

/** A host name as the DNS knows it: IDN in punycode, `127.1` and other number forms as the address they are. */
export const asciiHost = (host: string): string => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return isIP(bare) ? bare : domainToASCII(bare) || bare;
};

/** A resolver on the given `host[:port]` servers; none means the system's, followed as its configuration changes. */
export function createResolver(
  clock: Clock,
  servers: readonly string[],
  hostsPath = systemHostsPath(),
): ClosableResolver {
  const hosts = createHostsFile(clock, hostsPath);
  const own = ownChannel(clock, servers);
  /** Channels that queries were sent by, the last used at the end. */
  const used = new Set<dns.Resolver>();
  let closed = false;
  const channels = new Map<string, dns.Resolver>();

  const channelOf = (server: string): dns.Resolver => {
    const kept = channels.get(server);
    if (kept) channels.delete(server);
    const channel = kept ?? channelFor([server]);
    channels.set(server, channel);
    const oldest = channels.keys().next().value;
    if (channels.size > channelsKept && oldest !== undefined) channels.delete(oldest);
    return channel;
  };

  /** When the checker's own resolver was last found silent, on the monotonic clock. */
  let silentAt = -Infinity;

  /** Runs a query within the deadline, and tells a fault of the resolver from one of the name. */
  async function ask<T>(
    channel: dns.Resolver,
    name: string,
    server: string | null,
    deadline: Deadline,
    query: () => Promise<T>,
  ): Promise<T> {
    // Some versions of Node would ask for the part before it (CVE-2026-105482).
    if (name.includes('\0')) throw new CheckFailure('dns_not_found', 'a host name has no NUL in it');
    if (closed) throw new CheckFailure('internal', 'the checker is stopping');
    used.delete(channel);
    used.add(channel);
    if (used.size > 2 * channelsKept) used.delete(used.values().next().value!);
    const askedAt = clock.monotonic();
    try {
      return await within(deadline, query);
    } catch (error) {
      if (closed) throw new CheckFailure('internal', 'the checker is stopping');
      if (error instanceof CheckFailure) throw error;
      const silent = error instanceof Cut || ['ETIMEOUT', 'ECONNREFUSED'].includes(codeOf(error));
      if (error instanceof Cut && error.why !== 'timeout') throw interrupted(error.why, 'dns_timeout', '');
      if (outOfDescriptors()) throw new CheckFailure('internal', 'this process has no file descriptors left (EMFILE)');
      if (silent && server !== null && !isLoopback(server) && !hasNetwork())
        throw new CheckFailure('internal', 'this machine has no network');
      let code = error instanceof Cut ? 'ETIMEOUT' : codeOf(error);
      if (silent && server === null) {
        const again = await askAgain(clock, channel, query);
        if (again === 'silent') silentAt = clock.monotonic();
        // One that was gone and is back owed the answer, whatever the name is worth.
        if (again === 'silent' || again === 'found' || silentAt >= askedAt)
          throw new CheckFailure('internal', `the checker's own resolver does not answer (asked for ${name})`);
        // A name whose servers are dead may be looked for until just after the time was up: that it failed is an answer.
        if (again !== 'knows others') code = again.failed;
      }
      throw lookupFailure(code, name, server);
    }
  }

  return {
    async addresses(host, deadline) {
      const name = host.toLowerCase().replace(/\.$/, '');
      const known = hosts(name);
      if (known.length > 0) return known;
      if (name === '') throw new CheckFailure('dns_not_found', 'the host name is empty');
      const channel = own();
      return ask(channel, name, null, deadline, () => bothFamilies(clock, channel, name));
    },
    async records(name, type, server, deadline) {
      const channel = server === null ? own() : channelOf(server);
      const found = await ask(channel, name, server, deadline, () => recordQueries[type](channel, name));
      // A CNAME alone answers a question for addresses with an empty list, and an address alone answers one for a
      // CNAME with the question's own name: neither is the record that was asked for.
      const records = type === 'CNAME' ? found.filter((value) => !sameName(value, name)) : found;
      if (records.length === 0) throw lookupFailure('ENODATA', name, server);
      return records;
    },
    close() {
      closed = true;
      for (const channel of used) channel.cancel();
    },
  };
}

const recordQueries: Record<RecordType, (channel: dns.Resolver, name: string) => Promise<string[]>> = {
  A: (channel, name) => channel.resolve4(name),
  AAAA: (channel, name) => channel.resolve6(name),
  CNAME: (channel, name) => channel.resolveCname(name),
  MX: async (channel, name) =>
    (await channel.resolveMx(name))
      .toSorted((a, b) => a.priority - b.priority)
      .map((record) => `${record.priority} ${record.exchange || '.'}`),
  TXT: async (channel, name) => (await channel.resolveTxt(name)).map((chunks) => chunks.join('')),
};

const isLoopback = (server: string) => /^127\.|^\[::1\]/.test(server);

const sameName = (a: string, b: string) => a.toLowerCase().replace(/\.$/, '') === b.toLowerCase().replace(/\.$/, '');

/** The query was cut short by the deadline. */
class Cut extends Error {
  readonly why: Interruption;

  constructor(why: Interruption) {
    super(why);
    this.why = why;
  }
}

async function within<T>(deadline: Deadline, query: () => Promise<T>): Promise<T> {
  if (deadline.over) throw new Cut(deadline.over);
  try {
    return await new Promise<T>((resolve, reject) => {
      deadline.interrupt = (why) => reject(new Cut(why));
      query().then(resolve, reject);
    });
  } finally {
    deadline.interrupt = null;
  }
}

/** Asks for A and AAAA at once; once one family has answered, the other gets a moment more. */
function bothFamilies(clock: Clock, channel: dns.Resolver, name: string): Promise<Address[]> {
  return new Promise((resolve, reject) => {
    const found: Address[] = [];
    const failures: unknown[] = [];
    let pending = 2;
    let stopWaiting: (() => void) | null = null;
    const settle = () => {
      stopWaiting?.();
      if (found.length > 0) resolve(found);
      else reject(failures.find((failure) => codeOf(failure) !== 'ENODATA') ?? { code: 'ENODATA' });
    };
    const done = () => {
      pending--;
      if (pending === 0) settle();
      else if (found.length > 0) stopWaiting = clock.after(resolutionDelay, settle);
    };
    const take = async (family: 4 | 6, query: Promise<string[]>) => {
      try {
        for (const address of await query) found.push({ address, family });
      } catch (error) {
        failures.push(error);
      }
      done();
    };
    void take(6, channel.resolve6(name));
    void take(4, channel.resolve4(name));
  });
}

type Answer = 'silent' | 'found' | { failed: string };

/** What a resolver that did not answer says when it is asked the same again, and for the root beside it. */
async function askAgain(
  clock: Clock,
  channel: dns.Resolver,
  query: () => Promise<unknown>,
): Promise<Answer | 'knows others'> {
  const [named, root] = await Promise.all([awaitAnswer(clock, query()), awaitAnswer(clock, channel.resolveNs('.'))]);
  if (named !== 'silent') return named;
  return root === 'silent' ? 'silent' : 'knows others';
}

/** What an answer says if it comes in time, in whatever way. */
function awaitAnswer(clock: Clock, answer: Promise<unknown>): Promise<Answer> {
  return new Promise((resolve) => {
    const giveUp = clock.after(probePatience, () => resolve('silent'));
    const settle = (said: Answer) => {
      giveUp();
      resolve(said);
    };
    answer.then(
      () => settle('found'),
      (error: unknown) => settle(silences.includes(codeOf(error)) ? 'silent' : { failed: codeOf(error) }),
    );
  });
}

const silences = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EFILE'];

function channelFor(servers: readonly string[]): dns.Resolver {
  const channel = new dns.Resolver(patience);
  if (servers.length > 0) channel.setServers(servers);
  return channel;
}

/** The checker's own channel: on fixed servers, or on the system's for as long as its configuration stays the same. */
function ownChannel(clock: Clock, servers: readonly string[]): () => dns.Resolver {
  let channel = channelFor(servers);
  if (servers.length > 0) return () => channel;
  let lookedAt = clock.monotonic();
  let seen = configuredAt();
  return () => {
    if (clock.monotonic() - lookedAt < 1000) return channel;
    lookedAt = clock.monotonic();
    const now = configuredAt();
    // Without descriptors c-ares could not read its configuration, and would ask 127.0.0.1 from now on.
    if (now !== seen && !outOfDescriptors()) {
      channel = channelFor([]);
      seen = now;
    }
    return channel;
  };
}

const configuredAt = () => statSync('/etc/resolv.conf', { throwIfNoEntry: false })?.mtimeMs ?? 0;
