import type { Clock } from '../../deps.ts';
import { contactHosts, type ContactHost, type Question } from './contact-hosts.ts';
import { type Evidence, recordAnswer, referenceHostsToAsk } from './evidence.ts';
import { type Facts, type HostRoute, routeToHost } from './facts.ts';
import type { KnownHosts } from './known-hosts.ts';
import type { GatewayCheck } from './own-network.ts';

/**
 * How many hosts of each kind one contact round asks. `recent`: the reference hosts that answered last. `others`:
 * further reference hosts, which take turns.
 */
const asked = { recent: 5, others: 4, nameServers: 3, gateways: 2 };
/** Any port works for a gateway, because a refusal is an answer too. */
const gatewayPort = 53;

export interface ContactRoundsOptions {
  clock: Clock;
  gatewayCheck: GatewayCheck;
  nameServers: () => readonly { address: string; port: number }[];
  contact: ContactHost;
}

export interface ContactRounds {
  /**
   * Asks the reference hosts of a route. All waiting checks share this contact round. Resolves with the time when it
   * began.
   */
  ask(facts: Facts, hostRoute: HostRoute): Promise<number>;
  isUnderWay(hostRoute: HostRoute): boolean;
}

/**
 * Creates the contact rounds. In a contact round, the hosts of one route are asked whether they still answer. Each
 * route has at most one contact round at a time.
 */
export function createContactRounds(options: ContactRoundsOptions, hosts: KnownHosts): ContactRounds {
  const { clock, gatewayCheck, contact } = options;
  const rounds = new Map<string, Promise<number>>();
  let turn = 0;
  return {
    isUnderWay: (hostRoute) => rounds.has(hostRoute.key),
    ask(facts, hostRoute) {
      const underWay = rounds.get(hostRoute.key);
      if (underWay) return underWay;
      const evidence = hosts.evidenceOf(hostRoute.key);
      const askedMonoMs = clock.monotonicMs();
      const questions = Array.isArray(gatewayCheck)
        ? gatewayCheck.map((one) => ({ ...one, via: 'tcp' as const }))
        : questionsFor(facts, hostRoute, { evidence, nameServers: options.nameServers(), turn: turn++ });
      const round = contactHosts(clock, contact, questions, (question) => {
        if (Array.isArray(gatewayCheck)) recordAnswer(evidence, { ...question, answeredMonoMs: clock.monotonicMs() });
        else hosts.recordAnswer(question.address, question.port, question.via);
        return evidence.lastContactMonoMs >= askedMonoMs;
      }).then(() => askedMonoMs);
      rounds.set(hostRoute.key, round);
      void round.then(() => rounds.delete(hostRoute.key));
      return round;
    },
  };
}

interface Askable {
  evidence: Evidence;
  nameServers: readonly { address: string; port: number }[];
  /** The number of this contact round. It decides which of the further reference hosts are asked. */
  turn: number;
}

/**
 * Returns the hosts to ask: reference hosts that answered on this route, then the route's name servers and gateways.
 * Each address comes only once.
 */
function questionsFor(facts: Facts, hostRoute: HostRoute, { evidence, nameServers, turn }: Askable): Question[] {
  const byDns = nameServers
    .filter(({ address }) => routeToHost(facts, address).key === hostRoute.key)
    .slice(0, asked.nameServers)
    .map((server) => ({ ...server, via: 'dns' as const }));
  const device = hostRoute.kind === 'route' ? hostRoute.route.interface : null;
  const gateways = facts.routes
    .filter((route) => route.interface === device && route.gateway !== null && route.gateway !== 'unknown')
    .map((route) => ({ address: route.gateway!, port: gatewayPort, via: 'tcp' as const }));
  const known = referenceHostsToAsk(evidence, asked.recent, asked.others, turn);
  const listed = [...known, ...byDns, ...gateways.slice(0, asked.gateways)];
  return [...new Map(listed.toReversed().map((one) => [one.address, one])).values()].toReversed();
}
