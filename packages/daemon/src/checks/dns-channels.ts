import { promises as dns } from 'node:dns';
import { statSync } from 'node:fs';
import type { Clock } from '../deps.ts';
import { outOfDescriptors } from './system-errors.ts';

/** By default c-ares, the DNS client of Node, waits for 23 s. With these values, it tries four times in 7 s. */
const queryTimeouts = { timeout: 1000, tries: 4, maxTimeout: 2000 };
/** Maximum number of the monitors' own name servers that have a shared channel. */
const maxServers = 200;
/** Maximum number of remembered names whose last answer was valid. Other names need a new channel at each look-up. */
const maxTrusted = 20_000;

/**
 * The c-ares channels for look-ups. After a bad answer or a broken connection, all look-ups on the same channel fail.
 * So only names whose last answer was valid share a channel.
 */
export interface DnsChannels {
  /**
   * Returns the channel for a name: the server's shared channel, or a channel for this look-up only. If `server` is
   * null, the channel asks the checker's own name servers.
   */
  channelFor(name: string, server: string | null): dns.Resolver;
  /** Returns a channel for one look-up only. */
  ownChannel(server: string | null): dns.Resolver;
  /** Records whether the name's answer was valid. */
  settle(name: string, server: string | null, isValid: boolean): void;
  /** Remembers a channel until the answer has arrived, so that `close` can cancel the query. */
  hold<T>(channel: dns.Resolver, answer: Promise<T>): Promise<T>;
  /** Cancels running queries, which would keep the process alive for up to 7 s. */
  close(): void;
}

export function createDnsChannels(clock: Clock, servers: readonly string[]): DnsChannels {
  const shared = followedChannel(clock, servers);
  const ofServers = new Map<string, dns.Resolver>();
  const trusted = new Set<string>();
  /** How many answers each channel waits for. */
  const held = new Map<dns.Resolver, number>();

  const sharedBy = (server: string): dns.Resolver => {
    const kept = ofServers.get(server);
    if (kept) ofServers.delete(server);
    const channel = kept ?? createChannel([server]);
    ofServers.set(server, channel);
    if (ofServers.size > maxServers) ofServers.delete(ofServers.keys().next().value!);
    return channel;
  };
  const ownChannel = (server: string | null) => createChannel(server === null ? servers : [server]);
  const keyOf = (name: string, server: string | null) => (server === null ? name : `${name} ${server}`);

  return {
    channelFor(name, server) {
      if (!trusted.has(keyOf(name, server))) return ownChannel(server);
      return server === null ? shared() : sharedBy(server);
    },
    ownChannel,
    settle(name, server, isValid) {
      const key = keyOf(name, server);
      if (!isValid) trusted.delete(key);
      else if (!trusted.has(key)) {
        if (trusted.size >= maxTrusted) trusted.delete(trusted.keys().next().value!);
        trusted.add(key);
      }
    },
    hold(channel, answer) {
      held.set(channel, (held.get(channel) ?? 0) + 1);
      const release = () => {
        const left = (held.get(channel) ?? 0) - 1;
        if (left > 0) held.set(channel, left);
        else held.delete(channel);
      };
      answer.then(release, release);
      return answer;
    },
    close() {
      for (const channel of held.keys()) channel.cancel();
    },
  };
}

function createChannel(servers: readonly string[]): dns.Resolver {
  const channel = new dns.Resolver(queryTimeouts);
  if (servers.length > 0) channel.setServers(servers);
  return channel;
}

/**
 * Returns a function whose result is the channel for queries to the checker's own name servers. These are the given
 * servers, or the system's if none are given. A new channel replaces the old one when the system's configuration
 * changes.
 */
function followedChannel(clock: Clock, servers: readonly string[]): () => dns.Resolver {
  let channel = createChannel(servers);
  if (servers.length > 0) return () => channel;
  let lookedMonoMs = clock.monotonicMs();
  let seen = configuredAt();
  return () => {
    if (clock.monotonicMs() - lookedMonoMs < 1000) return channel;
    lookedMonoMs = clock.monotonicMs();
    const now = configuredAt();
    // Without a free file descriptor, a new channel cannot read the configuration, and would always ask 127.0.0.1.
    if (now !== seen && !outOfDescriptors()) {
      channel = createChannel([]);
      seen = now;
    }
    return channel;
  };
}

const configuredAt = () => statSync('/etc/resolv.conf', { throwIfNoEntry: false })?.mtimeMs ?? 0;
