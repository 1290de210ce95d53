import type { Clock } from '../../deps.ts';
import { type Evidence, recordAnswer, noEvidence } from './evidence.ts';
import { type Facts, onLink, type HostRoute, routeToHost } from './facts.ts';
import type { FactsLog } from './facts-log.ts';

/** While the facts show no fault, they are read again when they are this old. */
export const factsHoldMs = 1000;
const maxHosts = 10_000;
const maxRoutes = 1000;

/** How a host is reached, and the evidence to which its answers are added. Valid while the facts stay the same. */
export interface Host {
  facts: Facts;
  hostRoute: HostRoute;
  evidence: readonly Evidence[];
}

export interface KnownHosts {
  at(address: string): Host;
  /** Records an answer of a host. */
  recordAnswer: (address: string, port: number, via?: 'tcp' | 'dns') => void;
  /** The evidence about a route, by its key. */
  evidenceOf(key: string): Evidence;
  /** The routes with evidence. */
  routes: ReadonlyMap<string, Evidence>;
}

/** Remembers how each host is reached, and which hosts answered by each route. */
export function createKnownHosts(clock: Clock, log: FactsLog): KnownHosts {
  const routes = new Map<string, Evidence>();
  const hosts = new Map<string, Host>();

  const evidenceOf = (key: string): Evidence => {
    const known = routes.get(key);
    if (known) return known;
    if (routes.size >= maxRoutes) routes.delete(routes.keys().next().value!);
    const evidence = noEvidence();
    routes.set(key, evidence);
    return evidence;
  };

  /**
   * Returns the evidence to which an answer by this route is added. An answer from beyond a gateway also shows that the
   * link to the gateway works.
   */
  const evidenceFrom = (hostRoute: HostRoute): Evidence[] => {
    if (hostRoute.kind === 'none') return [evidenceOf(hostRoute.key)];
    if (hostRoute.kind !== 'route') return [];
    const { gateway, interface: device, family } = hostRoute.route;
    return [evidenceOf(hostRoute.key), ...(gateway === null ? [] : [evidenceOf(onLink(device, family))])];
  };

  const at = (address: string): Host => {
    const { facts } = log.current(factsHoldMs);
    const known = hosts.get(address);
    if (known?.facts === facts) return known;
    if (!known && hosts.size >= maxHosts) hosts.delete(hosts.keys().next().value!);
    const hostRoute = routeToHost(facts, address);
    const host = { facts, hostRoute, evidence: evidenceFrom(hostRoute) };
    hosts.set(address, host);
    return host;
  };

  return {
    at,
    evidenceOf,
    routes,
    recordAnswer: (address, port, via = 'tcp') => {
      const { evidence } = at(address);
      if (evidence.length === 0) return;
      const nowMonoMs = clock.monotonicMs();
      for (const one of evidence) recordAnswer(one, { address, port, via, answeredMonoMs: nowMonoMs });
    },
  };
}
