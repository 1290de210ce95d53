import type { Clock } from '../../deps.ts';
import type { BadFacts } from './bad-facts.ts';
import { judge, judgeAsked, knownWitnesses } from './evidence.ts';
import type { Way } from './facts.ts';
import { factsHoldMs, type KnownHosts } from './known-hosts.ts';
import type { GatewayCheck } from './own-network.ts';
import { isDefault } from './routes.ts';
import { silenceOn } from './silence-on.ts';
import type { WitnessRounds } from './witness-rounds.ts';

/**
 * The kernel asks for a neighbour's address three times, a second apart. So packets that wait for it may still fail
 * after the cable is back.
 */
const unreachableLingersMs = 1500;

export interface AddressJudge {
  /** Why a failure at one address says nothing about the target; null if it does say something. */
  faultOf(address: string, begun: number, isUnreachable: boolean): Promise<string | null>;
  /** Asks the witnesses while a check still waits for the address, unless they answered recently. */
  askEarly(address: string, begun: number): void;
}

/** Judges failures by the facts of this machine, by what other hosts answered, and by asking them. */
export function createAddressJudge(
  { clock, gatewayCheck }: { clock: Clock; gatewayCheck: GatewayCheck },
  hosts: KnownHosts,
  badFacts: BadFacts,
  rounds: WitnessRounds,
): AddressJudge {
  const given = Array.isArray(gatewayCheck);

  const asking = (way: Way, askedAt: number) => ({
    askedAt,
    now: clock.monotonicMs(),
    given,
    isMainWay:
      way.kind !== 'route' || isDefault(way.route) || [...hosts.ways.values()].every(({ heard }) => heard.size === 0),
  });

  return {
    async faultOf(address, begun, isUnreachable) {
      const since = isUnreachable ? begun - unreachableLingersMs : begun;
      const bad = badFacts.since(address, since);
      if (bad !== null) return bad;
      const { facts, way } = hosts.at(address);
      if (way.kind === 'local' || way.kind === 'rejected' || gatewayCheck === 'off') return null;
      // If this machine never had the address family, the failure is the target's. But answers may still arrive by a
      // route that the facts do not show.
      if (way.kind === 'none' && !hosts.ways.has(way.key)) return null;
      const evidence = hosts.evidenceOf(way.key);
      const attempt = { address, begun, failed: clock.monotonicMs(), since };
      let judgement = judge(evidence, attempt);
      if (judgement === 'ask') {
        const askedAt = await rounds.ask(facts, way);
        // The cable may have been unplugged since then.
        const turnedBad = badFacts.since(address, since);
        if (turnedBad !== null) return turnedBad;
        judgement = judgeAsked(evidence, attempt, asking(way, askedAt));
      }
      return judgement === 'own' ? silenceOn(way.key, evidence, { now: clock.monotonicMs(), given }) : null;
    },
    askEarly(address, begun) {
      const now = clock.monotonicMs();
      const { facts, way } = hosts.at(address);
      if (way.kind !== 'route') return;
      const evidence = hosts.evidenceOf(way.key);
      const lately = Math.max(evidence.lastContact, evidence.silentAt) > now - factsHoldMs;
      const others = knownWitnesses(evidence).some((witness) => witness.address !== address);
      if (lately || rounds.isUnderWay(way) || (!others && !given)) return;
      void rounds
        .ask(facts, way)
        .then((askedAt) => judgeAsked(evidence, { address, begun, failed: now }, asking(way, askedAt)));
    },
  };
}
