import type { Clock } from '../../deps.ts';
import type { BadFacts } from './bad-facts.ts';
import { describeNoAnswer } from './describe-no-answer.ts';
import { judge, judgeAsked, knownReferenceHosts } from './evidence.ts';
import type { HostRoute } from './facts.ts';
import { factsHoldMs, type KnownHosts } from './known-hosts.ts';
import type { GatewayCheck } from './own-network.ts';
import { isDefault } from './routes.ts';
import type { ContactRounds } from './contact-rounds.ts';

/**
 * The kernel asks for a neighbour's hardware address three times, a second apart. Packets to the neighbour wait for the
 * answer. So they may still fail as unreachable for this long after the cable is back.
 */
const unreachableLingersMs = 1500;

export interface AddressJudge {
  /** Returns the fault of this machine's network that explains a failure at an address; null if there is none. */
  faultOf(address: string, begunMonoMs: number, isUnreachable: boolean): Promise<string | null>;
  /**
   * Asks the reference hosts of the route to an address while a check still waits for an answer from that address. So
   * the answers of the reference hosts are known if the check fails. Asks nothing if a host on the route answered
   * within the last second. Asks nothing either if the reference hosts were asked within the last second and did not
   * answer.
   */
  askEarly(address: string, begunMonoMs: number): void;
}

/**
 * Returns functions that decide whether this machine's network caused a failure. They use the facts (routes and
 * interfaces) and the answers of other hosts, which they ask if necessary.
 */
export function createAddressJudge(
  { clock, gatewayCheck }: { clock: Clock; gatewayCheck: GatewayCheck },
  hosts: KnownHosts,
  badFacts: BadFacts,
  rounds: ContactRounds,
): AddressJudge {
  const given = Array.isArray(gatewayCheck);

  const asking = (hostRoute: HostRoute, askedMonoMs: number) => ({
    askedMonoMs,
    nowMonoMs: clock.monotonicMs(),
    given,
    isMainRoute:
      hostRoute.kind !== 'route' ||
      isDefault(hostRoute.route) ||
      [...hosts.routes.values()].every(({ answeredHosts }) => answeredHosts.size === 0),
  });

  return {
    async faultOf(address, begunMonoMs, isUnreachable) {
      const sinceMonoMs = isUnreachable ? begunMonoMs - unreachableLingersMs : begunMonoMs;
      const bad = badFacts.since(address, sinceMonoMs);
      if (bad !== null) return bad;
      const { facts, hostRoute } = hosts.at(address);
      if (hostRoute.kind === 'local' || hostRoute.kind === 'rejected' || gatewayCheck === 'off') return null;
      // If no route leads to the address, the target is at fault. But if answers arrived nevertheless, there is a route
      // that the facts do not show.
      if (hostRoute.kind === 'none' && !hosts.routes.has(hostRoute.key)) return null;
      const evidence = hosts.evidenceOf(hostRoute.key);
      const attempt = { address, begunMonoMs, failedMonoMs: clock.monotonicMs(), sinceMonoMs };
      let judgement = judge(evidence, attempt);
      if (judgement === 'ask') {
        const askedMonoMs = await rounds.ask(facts, hostRoute);
        // The cable may have been unplugged while the reference hosts were asked.
        const turnedBad = badFacts.since(address, sinceMonoMs);
        if (turnedBad !== null) return turnedBad;
        judgement = judgeAsked(evidence, attempt, asking(hostRoute, askedMonoMs));
      }
      return judgement === 'own'
        ? describeNoAnswer(hostRoute.key, evidence, { nowMonoMs: clock.monotonicMs(), given })
        : null;
    },
    askEarly(address, begunMonoMs) {
      const nowMonoMs = clock.monotonicMs();
      const { facts, hostRoute } = hosts.at(address);
      if (hostRoute.kind !== 'route') return;
      const evidence = hosts.evidenceOf(hostRoute.key);
      const lately = Math.max(evidence.lastContactMonoMs, evidence.noAnswerSeenMonoMs) > nowMonoMs - factsHoldMs;
      const others = knownReferenceHosts(evidence).some((host) => host.address !== address);
      if (lately || rounds.isUnderWay(hostRoute) || (!others && !given)) return;
      void rounds
        .ask(facts, hostRoute)
        .then((askedMonoMs) =>
          judgeAsked(evidence, { address, begunMonoMs, failedMonoMs: nowMonoMs }, asking(hostRoute, askedMonoMs)),
        );
    },
  };
}
