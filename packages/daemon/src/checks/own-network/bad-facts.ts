import { localFault, type HostRoute, routeToHost } from './facts.ts';
import type { FactsLog, Snapshot } from './facts-log.ts';
import type { KnownHosts } from './known-hosts.ts';

/** When a check fails, the facts (routes and interfaces) are read again if they are older than this. */
export const factsHoldAtFailureMs = 50;
/**
 * If an answer arrives more than this time after the facts began to show a fault, the answer disproves the fault. For
 * example, a routing table that the facts do not contain may lead to the host.
 */
const disproofMs = 1500;

export interface BadFacts {
  /**
   * Returns the fault that the facts have shown in the route to an address since `begunMonoMs`; null if they show none.
   */
  since(address: string, begunMonoMs: number): string | null;
  /** Whether the facts show a fault now. */
  now(address: string): boolean;
}

/** Finds faults of the network in the facts. A fault counts until an answer from a host disproves it. */
export function createBadFacts(log: FactsLog, hosts: KnownHosts): BadFacts {
  const isDisproved = ({ fromMonoMs, toMonoMs }: Snapshot, hostRoute: HostRoute): boolean =>
    toMonoMs === Infinity &&
    (hosts.routes.get(hostRoute.key)?.lastContactMonoMs ?? -Infinity) > fromMonoMs + disproofMs;

  return {
    since(address, begunMonoMs) {
      log.current(factsHoldAtFailureMs);
      for (const snapshot of log.since(begunMonoMs)) {
        const hostRoute = routeToHost(snapshot.facts, address);
        const fault = localFault(snapshot.facts, log.hadDefault, hostRoute);
        if (fault !== null && !isDisproved(snapshot, hostRoute)) return fault;
      }
      return null;
    },
    now(address) {
      const { facts, hostRoute } = hosts.at(address);
      return localFault(facts, log.hadDefault, hostRoute) !== null;
    },
  };
}
