import type { Clock } from '../../deps.ts';
import { type Evidence, hear, noEvidence } from './evidence.ts';
import { type Facts, onLink, type Way, wayTo } from './facts.ts';
import type { FactsLog } from './facts-log.ts';

/** How long facts hold while nothing is wrong. */
export const factsHoldMs = 1000;
const mostHosts = 10_000;
const mostWays = 1000;

/** How a host is reached, and the evidence that its answers count for. Valid while the facts stay the same. */
export interface Host {
  facts: Facts;
  way: Way;
  evidence: readonly Evidence[];
}

export interface KnownHosts {
  at(address: string): Host;
  /** Records an answer of a host. */
  heard: (address: string, port: number, via?: 'tcp' | 'dns') => void;
  /** The evidence about a route, by its key. */
  evidenceOf(key: string): Evidence;
  /** The routes with evidence. */
  ways: ReadonlyMap<string, Evidence>;
}

/** Remembers how each host is reached, and which hosts answered by each route. */
export function createKnownHosts(clock: Clock, log: FactsLog): KnownHosts {
  const ways = new Map<string, Evidence>();
  const hosts = new Map<string, Host>();

  const evidenceOf = (key: string): Evidence => {
    const known = ways.get(key);
    if (known) return known;
    if (ways.size >= mostWays) ways.delete(ways.keys().next().value!);
    const evidence = noEvidence();
    ways.set(key, evidence);
    return evidence;
  };

  /** An answer from beyond a gateway shows that the link to the gateway works too. */
  const evidenceFrom = (way: Way): Evidence[] => {
    if (way.kind === 'none') return [evidenceOf(way.key)];
    if (way.kind !== 'route') return [];
    const { gateway, interface: device, family } = way.route;
    return [evidenceOf(way.key), ...(gateway === null ? [] : [evidenceOf(onLink(device, family))])];
  };

  const at = (address: string): Host => {
    const { facts } = log.current(factsHoldMs);
    const known = hosts.get(address);
    if (known?.facts === facts) return known;
    if (!known && hosts.size >= mostHosts) hosts.delete(hosts.keys().next().value!);
    const way = wayTo(facts, address);
    const host = { facts, way, evidence: evidenceFrom(way) };
    hosts.set(address, host);
    return host;
  };

  return {
    at,
    evidenceOf,
    ways,
    heard: (address, port, via = 'tcp') => {
      const { evidence } = at(address);
      if (evidence.length === 0) return;
      const now = clock.monotonicMs();
      for (const one of evidence) hear(one, { address, port, via, at: now });
    },
  };
}
