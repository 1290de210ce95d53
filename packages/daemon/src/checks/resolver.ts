import type { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Clock } from '../deps.ts';
import type { Deadline, Interruption } from './deadline.ts';
import { createDnsChannels } from './dns-channels.ts';
import { bothFamilies, recordQueries, type RecordType } from './dns-queries.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { type Address, createHostsFile, systemHostsPath } from './hosts-file.ts';
import { lookupFailure } from './lookup-failure.ts';
import { addressOf, type NameServerAddress, nameServersOf } from './name-server-lists.ts';
import { isLoopback } from './own-network/facts.ts';
import type { OwnNetwork } from './own-network/own-network.ts';
import { cleanFailures, createResolverHealth, proofMs } from './resolver-health.ts';
import { outOfDescriptors } from './system-errors.ts';

export type { RecordType } from './dns-queries.ts';

/** Looks names up without getaddrinfo's thread pool, so that one hung look-up does not delay others. */
export interface Resolver {
  /** All addresses of a host name, hosts file first. Throws a CheckFailure, and never returns an empty list. */
  addresses(host: string, deadline: Deadline): Promise<readonly Address[]>;
  /**
   * The records of a name as text: addresses, names, `preference exchange`, TXT chunks joined. `server` is the
   * monitor's own name server as `address:port`, whose silence is a verdict. Null asks the checker's own, whose silence
   * is a fault of the checker. Throws a CheckFailure, and never returns an empty list.
   */
  records(name: string, type: RecordType, server: string | null, deadline: Deadline): Promise<string[]>;
}

export interface ClosableResolver extends Resolver {
  /** Cancels running queries, which would keep the process alive for up to 7 s. Later queries fail. */
  close(): void;
}

/**
 * Resolvers cache failures for some seconds. For this long after a fault of the resolver, a name's failure proves
 * nothing.
 */
const failuresKeptMs = 6000;
const silences = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EFILE']);

/** A host name in DNS form: IDN in punycode, and number forms such as `127.1` as addresses. */
export const asciiHost = (host: string): string => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return isIP(bare) ? bare : domainToASCII(bare) || bare;
};

export interface ResolverOptions {
  clock: Clock;
  /**
   * `host[:port]` of the servers to ask. Empty means the system's, which are read again when its configuration changes.
   */
  servers: readonly string[];
  network: Pick<OwnNetwork, 'heard' | 'faultOf'>;
  hostsPath?: string;
}

/** A name, its query, and the server to ask: the monitor's own, or null for the checker's. */
interface Question<T> {
  name: string;
  server: string | null;
  query: (channel: dns.Resolver) => Promise<T>;
}

export function createResolver({
  clock,
  servers,
  network,
  hostsPath = systemHostsPath(),
}: ResolverOptions): ClosableResolver {
  const hosts = createHostsFile(clock, hostsPath);
  const channels = createDnsChannels(clock, servers);
  const health = createResolverHealth(clock, channels);
  let closed = false;
  const remoteServer = followRemoteServer(clock, servers);

  async function ask<T>(question: Question<T>, deadline: Deadline): Promise<T> {
    const { name, server, query } = question;
    // Some versions of Node would look up the part before it (CVE-2026-105482).
    if (name.includes('\0')) throw new CheckFailure('dns_not_found', 'a host name must not contain a NUL');
    if (closed) throw stopping();
    const askedAt = clock.monotonicMs();
    const channel = channels.channelFor(name, server);
    const first = await outcomeOf(deadline, () => channels.hold(channel, query(channel)));
    if (closed) throw stopping();
    if ('found' in first) {
      settled(question, true);
      if (server === null) health.found(name);
      return first.found;
    }
    if (cleanFailures.has(first.code)) {
      settled(question, true);
      throw lookupFailure(first.code, name, server);
    }
    settled(question, false);
    if (first.cut && first.cut !== 'timeout') throw interrupted(first.cut, 'dns_timeout', '');
    if (outOfDescriptors()) throw new CheckFailure('internal', 'this process has no file descriptors left (EMFILE)');
    const isSilence = silences.has(first.code);
    if (server !== null && !isSilence) hearServer(server);
    if (server !== null) return askServerAgain(question, deadline, first.code);
    return isSilence
      ? askSilentAgain(question, deadline, first, askedAt)
      : askOthers(question, deadline, first.code, askedAt);
  }

  const settled = ({ name, server }: Question<unknown>, inOrder: boolean) => {
    channels.settle(name, server, inOrder);
    const remote = server === null && inOrder ? remoteServer() : null;
    if (remote) network.heard(remote.address, remote.port, 'dns');
  };

  /** A reported failure is still an answer of the name server. */
  const hearServer = (server: string) => {
    const { address, port } = addressOf(server);
    network.heard(address, port, 'dns');
  };

  /** On a separate channel, so that other names cannot affect this query. */
  const again = <T>({ server, query }: Question<T>) => {
    const channel = channels.ownChannel(server);
    return channels.hold(channel, query(channel));
  };

  async function askServerAgain<T>(question: Question<T>, deadline: Deadline, code: string): Promise<T> {
    const second = deadline.over ? null : await outcomeOf(deadline, () => again(question));
    if (second && 'found' in second) return second.found;
    throw lookupFailure(second?.code ?? code, question.name, question.server);
  }

  /** The resolver did not answer. This asks again, for this name and for others, to see whether it works at all. */
  async function askSilentAgain<T>(
    question: Question<T>,
    deadline: Deadline,
    { code, cut }: Failed,
    askedAt: number,
  ): Promise<T> {
    const { name } = question;
    const [named, lives, fault] = await Promise.all([
      inTime(clock, again(question)),
      health.answersOthers(name, null, deadline),
      faultBeyondStub(askedAt),
    ]);
    // Time is up. The resolver was down and answers again, so it lost the answer and the name is not at fault.
    if (named && 'found' in named) {
      if (!cut && !deadline.over) return named.found;
      throw atFault(name, 'did not answer in time');
    }
    const last = named?.code ?? code;
    if (!cleanFailures.has(last) && (!lives || health.faultAt() > askedAt - failuresKeptMs))
      throw atFault(name, 'does not answer');
    if (fault !== null) throw networkFault(fault, name);
    // A resolver may search for a name with dead servers until just after the deadline. Its failure then is an answer.
    throw lookupFailure(last, name, null);
  }

  /** The resolver reported a failure. If it fails for other names too, that says nothing about this name. */
  async function askOthers<T>(question: Question<T>, deadline: Deadline, code: string, askedAt: number): Promise<T> {
    const { name } = question;
    const [works, fault] = await Promise.all([health.answersOthers(name, code, deadline), faultBeyondStub(askedAt)]);
    if (!works) throw atFault(name, `fails for every name (${code.slice(1)})`);
    if (fault !== null) throw networkFault(fault, name);
    // The resolver works now, so its present answer counts.
    const second = deadline.over ? null : await outcomeOf(deadline, () => again(question));
    if (second && 'found' in second) {
      settled(question, true);
      return second.found;
    }
    const last = second && !second.cut ? second.code : code;
    if (!cleanFailures.has(last) && health.faultAt() > askedAt - failuresKeptMs)
      throw atFault(name, `failed for every name a moment ago (${last.slice(1)})`);
    throw lookupFailure(last, name, null);
  }

  /** A stub on this machine fails if the network behind it is gone. */
  const faultBeyondStub = (askedAt: number): Promise<string | null> =>
    remoteServer() ? Promise.resolve(null) : network.faultOf([], askedAt);

  return {
    async addresses(host, deadline) {
      const name = host.toLowerCase().replace(/\.$/, '');
      const known = hosts(name);
      if (known.length > 0) return known;
      if (name === '') throw new CheckFailure('dns_not_found', 'the host name is empty');
      return ask({ name, server: null, query: (channel) => bothFamilies(clock, channel, name) }, deadline);
    },
    async records(name, type, server, deadline) {
      const found = await ask({ name, server, query: (channel) => recordQueries[type](channel, name) }, deadline);
      // A name with only a CNAME gives an empty list of addresses. A name with only an address gives its own name as
      // CNAME. Neither is the record asked for.
      const records = type === 'CNAME' ? found.filter((value) => !sameName(value, name)) : found;
      if (records.length === 0) throw lookupFailure('ENODATA', name, server);
      return records;
    },
    close() {
      closed = true;
      channels.close();
    },
  };
}

const stopping = () => new CheckFailure('internal', 'the checker is stopping');

const atFault = (name: string, what: string) =>
  new CheckFailure('internal', `the checker's own resolver ${what} (asked for ${name})`);

const networkFault = (fault: string, name: string) =>
  new CheckFailure('internal', `this machine has no network: ${fault} (looking up ${name})`);

const sameName = (a: string, b: string) => a.toLowerCase().replace(/\.$/, '') === b.toLowerCase().replace(/\.$/, '');

interface Failed {
  code: string;
  cut: Interruption | null;
}
type Outcome<T> = { found: T } | Failed;

/** Runs a query within the deadline. */
async function outcomeOf<T>(deadline: Deadline, query: () => Promise<T>): Promise<Outcome<T>> {
  if (deadline.over) return { code: 'ETIMEOUT', cut: deadline.over };
  try {
    return await new Promise<Outcome<T>>((resolve, reject) => {
      deadline.interrupt = (why) => resolve({ code: 'ETIMEOUT', cut: why });
      query().then((found) => resolve({ found }), reject);
    });
  } catch (error) {
    return { code: codeOf(error), cut: null };
  } finally {
    deadline.interrupt = null;
  }
}

/** The answer within `proofMs`; null for silence. */
function inTime<T>(clock: Clock, answer: Promise<T>): Promise<{ found: T } | { code: string } | null> {
  return new Promise((resolve) => {
    const giveUp = clock.after(proofMs, () => resolve(null));
    const settle = (outcome: { found: T } | { code: string } | null) => {
      giveUp();
      resolve(outcome);
    };
    answer.then(
      (found) => settle({ found }),
      (error: unknown) => settle(silences.has(codeOf(error)) ? null : { code: codeOf(error) }),
    );
  });
}

/**
 * The only name server beyond this machine that can have answered. Null if it is local, or it is unclear which of
 * several it was.
 */
function followRemoteServer(clock: Clock, servers: readonly string[]): () => NameServerAddress | null {
  let lookedAt = -Infinity;
  let remote: NameServerAddress | null = null;
  return () => {
    if (clock.monotonicMs() - lookedAt < 1000 || (servers.length > 0 && lookedAt > -Infinity)) return remote;
    lookedAt = clock.monotonicMs();
    const [only, ...others] = nameServersOf(servers);
    remote = only && others.length === 0 && !isLoopback(only.address) ? only : null;
    return remote;
  };
}
