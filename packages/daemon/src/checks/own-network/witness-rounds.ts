import type { Clock } from '../../deps.ts';
import { askWitnesses, type Knock, type Question } from './ask-witnesses.ts';
import { type Evidence, hear, witnessesToAsk } from './evidence.ts';
import { type Facts, type Way, wayTo } from './facts.ts';
import type { KnownHosts } from './known-hosts.ts';
import type { GatewayCheck } from './own-network.ts';

/** How many hosts of each kind a round asks. `recent` are the witnesses that answered last, `others` take turns. */
const asked = { recent: 5, others: 4, nameServers: 3, gateways: 2 };
/** Any port works for a gateway, because a refusal is an answer too. */
const gatewayPort = 53;

export interface WitnessOptions {
  clock: Clock;
  gatewayCheck: GatewayCheck;
  nameServers: () => readonly { address: string; port: number }[];
  knock: Knock;
}

export interface WitnessRounds {
  /** Asks the witnesses of a route once for all waiting checks. Resolves with the time when it began to ask. */
  ask(facts: Facts, way: Way): Promise<number>;
  isUnderWay(way: Way): boolean;
}

/** Asks hosts whether they still answer, one round at a time for each route. */
export function createWitnessRounds(options: WitnessOptions, hosts: KnownHosts): WitnessRounds {
  const { clock, gatewayCheck, knock } = options;
  const rounds = new Map<string, Promise<number>>();
  let turn = 0;
  return {
    isUnderWay: (way) => rounds.has(way.key),
    ask(facts, way) {
      const underWay = rounds.get(way.key);
      if (underWay) return underWay;
      const evidence = hosts.evidenceOf(way.key);
      const askedAt = clock.monotonicMs();
      const questions = Array.isArray(gatewayCheck)
        ? gatewayCheck.map((one) => ({ ...one, via: 'tcp' as const }))
        : questionsFor(facts, way, { evidence, nameServers: options.nameServers(), turn: turn++ });
      const round = askWitnesses(clock, knock, questions, (question) => {
        if (Array.isArray(gatewayCheck)) hear(evidence, { ...question, at: clock.monotonicMs() });
        else hosts.heard(question.address, question.port, question.via);
        return evidence.lastContact >= askedAt;
      }).then(() => askedAt);
      rounds.set(way.key, round);
      void round.then(() => rounds.delete(way.key));
      return round;
    },
  };
}

interface Askable {
  evidence: Evidence;
  nameServers: readonly { address: string; port: number }[];
  /** Counts the rounds, so that witnesses take turns. */
  turn: number;
}

/** Witnesses that answered by this route, then name servers and gateways on it; each address once. */
function questionsFor(facts: Facts, way: Way, { evidence, nameServers, turn }: Askable): Question[] {
  const byDns = nameServers
    .filter(({ address }) => wayTo(facts, address).key === way.key)
    .slice(0, asked.nameServers)
    .map((server) => ({ ...server, via: 'dns' as const }));
  const device = way.kind === 'route' ? way.route.interface : null;
  const gateways = facts.routes
    .filter((route) => route.interface === device && route.gateway !== null && route.gateway !== 'unknown')
    .map((route) => ({ address: route.gateway!, port: gatewayPort, via: 'tcp' as const }));
  const witnesses = witnessesToAsk(evidence, asked.recent, asked.others, turn);
  const listed = [...witnesses, ...byDns, ...gateways.slice(0, asked.gateways)];
  return [...new Map(listed.toReversed().map((one) => [one.address, one])).values()].toReversed();
}
