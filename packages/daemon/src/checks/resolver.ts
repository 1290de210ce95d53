import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Clock } from '../deps.ts';
import type { Deadline } from './deadline.ts';
import { createDnsChannels } from './dns-channels.ts';
import { bothFamilies, recordQueries, type RecordType } from './dns-queries.ts';
import { CheckFailure, interrupted } from './failure.ts';
import { type Address, createHostsFile, systemHostsPath } from './hosts-file.ts';
import { lookupFailure } from './lookup-failure.ts';
import { addressOf, type NameServerAddress, nameServersOf } from './name-server-lists.ts';
import { isLoopback } from './own-network/facts.ts';
import type { OwnNetwork } from './own-network/own-network.ts';
import { cleanFailures, createResolverHealth } from './resolver-health.ts';
import { createSecondQueries, noAnswerCodes, outcomeOf, type Question } from './second-queries.ts';
import { outOfDescriptors } from './system-errors.ts';

export type { RecordType } from './dns-queries.ts';

/** Looks names up without getaddrinfo's thread pool, so that one hung look-up does not delay others. */
export interface Resolver {
  /**
   * Returns all addresses of a host name: from the hosts file, or else from DNS. If no address is found, throws a
   * CheckFailure.
   */
  addresses(host: string, deadline: Deadline): Promise<readonly Address[]>;
  /**
   * Returns the records of a name as text. An MX record is `preference exchange`; the chunks of a TXT record are
   * joined. If no record is found, throws a CheckFailure. `server` is the monitor's own name server as `address:port`;
   * if it does not answer, the check fails. If `server` is null, the checker's own servers are asked; if they do not
   * answer, that is a checker fault.
   */
  records(name: string, type: RecordType, server: string | null, deadline: Deadline): Promise<string[]>;
}

export interface ClosableResolver extends Resolver {
  /** Cancels running queries, which would keep the process alive for up to 7 s. Later queries fail. */
  close(): void;
}

/** Returns a host name as DNS needs it: international names in punycode, and numbers such as `127.1` as addresses. */
export const asciiHost = (host: string): string => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return isIP(bare) ? bare : domainToASCII(bare) || bare;
};

export interface ResolverOptions {
  clock: Clock;
  /**
   * `host[:port]` of the servers to ask. Empty means the system's servers, which are read again when the system's
   * configuration changes.
   */
  servers: readonly string[];
  network: Pick<OwnNetwork, 'recordAnswer' | 'faultOf'>;
  hostsPath?: string;
}

export function createResolver(options: ResolverOptions): ClosableResolver {
  const { clock, servers, network, hostsPath = systemHostsPath() } = options;
  const hosts = createHostsFile(clock, hostsPath);
  const channels = createDnsChannels(clock, servers);
  const health = createResolverHealth(clock, channels);
  let closed = false;
  const remoteServer = followRemoteServer(clock, servers);

  const settled = ({ name, server }: Question<unknown>, isValid: boolean) => {
    channels.settle(name, server, isValid);
    const remote = server === null && isValid ? remoteServer() : null;
    if (remote) network.recordAnswer(remote.address, remote.port, 'dns');
  };
  const askAgain = createSecondQueries({ clock, channels, health, network, remoteServer, settled });

  async function ask<T>(question: Question<T>, deadline: Deadline): Promise<T> {
    const { name, server, query } = question;
    // Some versions of Node would look up the part before the NUL (CVE-2026-105482).
    if (name.includes('\0')) throw new CheckFailure('dns_not_found', 'a host name must not contain a NUL');
    if (closed) throw stopping();
    const askedMonoMs = clock.monotonicMs();
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
    const isNoAnswer = noAnswerCodes.has(first.code);
    if (server !== null && !isNoAnswer) recordServerAnswer(network, server);
    if (server !== null) return askAgain.ownServer(question, deadline, first.code);
    return isNoAnswer
      ? askAgain.afterNoAnswer(question, deadline, first, askedMonoMs)
      : askAgain.afterFailure(question, deadline, first.code, askedMonoMs);
  }

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
      // In two cases, an answer without the requested record looks like success. If the name has only a CNAME, the list
      // of addresses is empty. If the name has only an address, the CNAME in the answer is the name itself.
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

/** Records an answer of a name server. Even an answer that reports a failure shows that the network works. */
function recordServerAnswer(network: ResolverOptions['network'], server: string): void {
  const { address, port } = addressOf(server);
  network.recordAnswer(address, port, 'dns');
}

const stopping = () => new CheckFailure('internal', 'the checker is stopping');

const sameName = (a: string, b: string) => a.toLowerCase().replace(/\.$/, '') === b.toLowerCase().replace(/\.$/, '');

/**
 * Returns a function that returns the checker's only name server, if it is outside this machine. The function returns
 * null if the server is local, or if there are several, because it is unclear which of them answers.
 */
function followRemoteServer(clock: Clock, servers: readonly string[]): () => NameServerAddress | null {
  let lookedMonoMs = -Infinity;
  let remote: NameServerAddress | null = null;
  return () => {
    if (clock.monotonicMs() - lookedMonoMs < 1000 || (servers.length > 0 && lookedMonoMs > -Infinity)) return remote;
    lookedMonoMs = clock.monotonicMs();
    const [only, ...others] = nameServersOf(servers);
    remote = only && others.length === 0 && !isLoopback(only.address) ? only : null;
    return remote;
  };
}
