import type { Clock } from '../../deps.ts';
import { createAddressJudge } from './address-judge.ts';
import { type ContactHost, contactHost } from './contact-hosts.ts';
import { createBadFacts, factsHoldAtFailureMs } from './bad-facts.ts';
import { describeNoAnswer } from './describe-no-answer.ts';
import {
  defaultRoutes,
  type Facts,
  type FactSources,
  linkFault,
  readFacts,
  systemSources,
  routeToHost,
} from './facts.ts';
import { createFactsLog } from './facts-log.ts';
import { createKnownHosts, factsHoldMs } from './known-hosts.ts';
import { createContactRounds } from './contact-rounds.ts';

/**
 * How the checker looks for faults of its own network. `off`: it only reads the facts (routes and interfaces). `auto`:
 * it also asks reference hosts. A list: it also asks hosts, but only those in the list.
 */
export type GatewayCheck = 'auto' | 'off' | readonly { address: string; port: number }[];

/** Decides whether the target or the checker's own network caused a failure. */
export interface OwnNetwork {
  /** Records an answer of a host: a connection, a refusal, or bytes. It takes much less than a microsecond. */
  recordAnswer(address: string, port: number, via?: 'tcp' | 'dns'): void;
  /**
   * Returns the fault of the checker's network that explains a failed check; null if there is none. `begunMonoMs` is on
   * the monotonic clock. If `addresses` is empty, the default routes decide. `isUnreachable`: the system itself
   * reported that there is no route. Takes at most a second.
   */
  faultOf(addresses: readonly string[], begunMonoMs: number, isUnreachable?: boolean): Promise<string | null>;
  /**
   * Examines the network while a check waits for an answer from the addresses. It does so at most once a second, or ten
   * times a second while the facts show a fault.
   */
  stillWaiting(addresses: readonly string[], begunMonoMs: number): void;
  /** Describes what is wrong with the network now, with the evidence; null if the network works. */
  trouble(): string | null;
}

export interface OwnNetworkOptions {
  clock: Clock;
  gatewayCheck: GatewayCheck;
  /** Returns the checker's own name servers. */
  nameServers: () => readonly { address: string; port: number }[];
  sources?: FactSources;
  contact?: ContactHost;
}

/** While the facts show a fault, they are read again when they are this old, to notice the end of the fault soon. */
const badFactsHoldMs = 100;
/**
 * A fault is reported until this long after its last confirmation. It is not reported for ever, because the monitors
 * that noticed the fault may have been deleted since.
 */
const troubleHoldsMs = 10 * 60_000;
/** Addresses that stand for all hosts behind a default route. */
const anywhere = { 4: '0.0.0.1', 6: '::2' } as const;

/** If two checks without a verdict are at most this long apart, they belong to one fault. */
const oneFaultMs = 60_000;

export function createOwnNetwork(options: OwnNetworkOptions): OwnNetwork {
  const { clock, gatewayCheck, sources = systemSources, contact = contactHost } = options;
  const log = createFactsLog(clock, () => readFacts(sources));
  const hosts = createKnownHosts(clock, log);
  const badFacts = createBadFacts(log, hosts);
  const rounds = createContactRounds({ ...options, contact }, hosts);
  const judge = createAddressJudge(options, hosts, badFacts, rounds);
  /** How many checks gave no verdict during the latest fault, and the time of the last of them. */
  let withoutVerdict = { count: 0, latestMonoMs: -Infinity };

  return {
    recordAnswer: hosts.recordAnswer,
    async faultOf(addresses, begunMonoMs, isUnreachable = false) {
      const { facts } = log.current(factsHoldAtFailureMs);
      const targets = addresses.length > 0 ? addresses : beyond(facts);
      if (targets.length === 0) return log.hadDefault.size > 0 ? 'its default route is gone' : null;
      const ofFamilies = targets.filter((address) => {
        const hostRoute = routeToHost(facts, address);
        return targets.length === 1 || hostRoute.kind !== 'none' || log.hadDefault.has(hostRoute.family);
      });
      // If the checker's network works for one of the addresses, the target is at fault.
      const faults = await Promise.all(ofFamilies.map((address) => judge.faultOf(address, begunMonoMs, isUnreachable)));
      const fault = faults.includes(null) ? null : (faults[0] ?? null);
      if (fault !== null) {
        const nowMonoMs = clock.monotonicMs();
        const isNew = nowMonoMs - withoutVerdict.latestMonoMs > oneFaultMs;
        withoutVerdict = { count: isNew ? 1 : withoutVerdict.count + 1, latestMonoMs: nowMonoMs };
      }
      return fault;
    },
    stillWaiting(addresses, begunMonoMs) {
      const isBad = addresses.length > 0 && badFacts.now(addresses[0]!);
      log.current(isBad ? badFactsHoldMs : factsHoldMs);
      if (gatewayCheck === 'off') return;
      for (const address of addresses) judge.askEarly(address, begunMonoMs);
    },
    trouble() {
      const nowMonoMs = clock.monotonicMs();
      const { facts } = log.current(factsHoldMs);
      const bad = lostFamilies(facts, log.hadDefault).map((family) => badFacts.since(anywhere[family], nowMonoMs));
      const unanswered = [...hosts.routes].find(
        ([, { noAnswer, noAnswerSeenMonoMs }]) =>
          noAnswer?.toMonoMs === Infinity && noAnswerSeenMonoMs > nowMonoMs - troubleHoldsMs,
      );
      const noAnswer = unanswered
        ? describeNoAnswer(...unanswered, { nowMonoMs, given: Array.isArray(gatewayCheck) })
        : null;
      const what = bad.find((fault) => fault !== null) ?? noAnswer;
      if (what === null) return null;
      const { count, latestMonoMs } = withoutVerdict;
      const checks = nowMonoMs - latestMonoMs > oneFaultMs ? '' : ` ${count} check(s) gave no verdict.`;
      return `The checker has no network: ${what}.${checks}`;
    },
  };
}

/** Returns the addresses that stand for all hosts behind the default routes. */
const beyond = (facts: Facts) => [...new Set(defaultRoutes(facts).map(({ family }) => anywhere[family]))];

/** Returns the families that once had a default route, and now have none over a working link. */
function lostFamilies(facts: Facts, hadDefault: ReadonlySet<4 | 6>): (4 | 6)[] {
  return [...hadDefault].filter((family) => {
    const routes = defaultRoutes(facts).filter((route) => route.family === family);
    return routes.every((route) => linkFault(facts, route.interface, family) !== null);
  });
}
