import type { Clock } from '../../deps.ts';
import { askWitnesses, type Knock, knockForReal, type Question } from './ask-witnesses.ts';
import { type Evidence, hear, judge, judgeAsked, knownWitnesses, noEvidence, witnessesToAsk } from './evidence.ts';
import {
  defaultRoutes,
  type Facts,
  type FactSources,
  linkFault,
  localFault,
  onLink,
  readFacts,
  systemSources,
  type Way,
  wayTo,
} from './facts.ts';
import { createFactsLog, type Snapshot } from './facts-log.ts';
import { isDefault } from './routes.ts';

/** `auto`: local facts and witnesses. `off`: only local facts. A list: only these witnesses. */
export type GatewayCheck = 'auto' | 'off' | readonly { address: string; port: number }[];

/** Decides whether a failure is the target's or comes from the checker's own network. */
export interface OwnNetwork {
  /** Records an answer of a host: a connection, a refusal, or bytes. Costs well under a microsecond. */
  heard(address: string, port: number, via?: 'tcp' | 'dns'): void;
  /**
   * Why a failed check says nothing about its target; null if it does say something. `begun` is on the monotonic clock.
   * No addresses means everything behind the default routes. `isUnreachable`: the system itself reported that there is
   * no route. Takes at most a second.
   */
  faultOf(addresses: readonly string[], begun: number, isUnreachable?: boolean): Promise<string | null>;
  /** Call it while a check still waits for the addresses. It checks the network meanwhile, once a second at most. */
  stillWaiting(addresses: readonly string[], begun: number): void;
  /** Describes what is wrong with the network now, with the evidence; null if nothing is. */
  trouble(): string | null;
}

export interface OwnNetworkOptions {
  clock: Clock;
  gatewayCheck: GatewayCheck;
  /** The checker's own name servers, as `address[:port]`. */
  nameServers: () => readonly { address: string; port: number }[];
  sources?: FactSources;
  knock?: Knock;
}

const factsHoldMs = 1000;
/** Bad facts are read more often, so that the end of a fault is noticed soon. */
const badFactsHoldMs = 100;
/**
 * The kernel asks a neighbour three times, a second apart. Packets that wait for the answer fail after the cable is
 * back.
 */
const unreachableLingersMs = 1500;
/** Facts that judge a failure are at most this old. */
const factsHoldAtFailureMs = 50;
/** Contacts this long after the facts turned bad show that the network works, for example by another routing table. */
const disproofMs = 1500;
const mostHosts = 10_000;
const mostWays = 1000;
const asked = { recent: 5, others: 4, nameServers: 3 };
/** Any port will do for a gateway, because a refusal is an answer. */
const gatewayPort = 53;

/** Trouble that was not confirmed for this long is no longer reported, because its monitors may be gone. */
const troubleHoldsMs = 10 * 60_000;
/** Addresses that only a default route leads to. */
const anywhere = { 4: '0.0.0.1', 6: '::2' } as const;

/** How a host is reached, and the evidence that its answers count for. Valid while the facts stay the same. */
interface Host {
  facts: Facts;
  way: Way;
  evidence: readonly Evidence[];
}

export function createOwnNetwork(options: OwnNetworkOptions): OwnNetwork {
  const { clock, gatewayCheck, nameServers, sources = systemSources, knock = knockForReal } = options;
  const log = createFactsLog(clock, () => readFacts(sources));
  const ways = new Map<string, Evidence>();
  const hosts = new Map<string, Host>();
  const probes = new Map<string, Promise<number>>();
  const given = Array.isArray(gatewayCheck);
  let turn = 0;
  /** Checks without a verdict since the network was last known to work. */
  let withoutVerdict = { count: 0, latest: -Infinity };

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

  const hostAt = (address: string): Host => {
    const { facts } = log.current(factsHoldMs);
    const known = hosts.get(address);
    if (known?.facts === facts) return known;
    if (!known && hosts.size >= mostHosts) hosts.delete(hosts.keys().next().value!);
    const way = wayTo(facts, address);
    const host = { facts, way, evidence: evidenceFrom(way) };
    hosts.set(address, host);
    return host;
  };

  const heard: OwnNetwork['heard'] = (address, port, via = 'tcp') => {
    const { evidence } = hostAt(address);
    if (evidence.length === 0) return;
    const at = clock.monotonicMs();
    for (const one of evidence) hear(one, { address, port, via, at });
  };

  const questionsFor = (facts: Facts, way: Way, evidence: Evidence): Question[] => {
    if (Array.isArray(gatewayCheck)) return gatewayCheck.map((one) => ({ ...one, via: 'tcp' as const }));
    const byDns = nameServers()
      .filter(({ address }) => wayTo(facts, address).key === way.key)
      .slice(0, asked.nameServers)
      .map((server) => ({ ...server, via: 'dns' as const }));
    const device = way.kind === 'route' ? way.route.interface : null;
    const gateways = facts.routes
      .filter((route) => route.interface === device && route.gateway !== null && route.gateway !== 'unknown')
      .map((route) => ({ address: route.gateway!, port: gatewayPort, via: 'tcp' as const }));
    const listed = [...witnessesToAsk(evidence, asked.recent, asked.others, turn++), ...byDns, ...gateways.slice(0, 2)];
    return [...new Map(listed.toReversed().map((one) => [one.address, one])).values()].toReversed();
  };

  /** Asks the witnesses of a route once for all waiting checks. Resolves with the time when it began to ask. */
  const ask = (facts: Facts, way: Way): Promise<number> => {
    const underWay = probes.get(way.key);
    if (underWay) return underWay;
    const evidence = evidenceOf(way.key);
    const askedAt = clock.monotonicMs();
    const probe = askWitnesses(clock, knock, questionsFor(facts, way, evidence), (question) => {
      if (given) hear(evidence, { ...question, at: clock.monotonicMs() });
      else heard(question.address, question.port, question.via);
      return evidence.lastContact >= askedAt;
    }).then(() => askedAt);
    probes.set(way.key, probe);
    void probe.then(() => probes.delete(way.key));
    return probe;
  };

  /** Bad facts are believed until an answer disproves them. */
  const isDisproved = ({ from, to }: Snapshot, way: Way): boolean =>
    to === Infinity && (ways.get(way.key)?.lastContact ?? -Infinity) > from + disproofMs;

  const badFacts = (address: string, begun: number): string | null => {
    log.current(factsHoldAtFailureMs);
    for (const snapshot of log.since(begun)) {
      const way = wayTo(snapshot.facts, address);
      const fault = localFault(snapshot.facts, log.hadDefault, way);
      if (fault !== null && !isDisproved(snapshot, way)) return fault;
    }
    return null;
  };

  const badNow = (address: string): boolean => {
    const { facts, way } = hostAt(address);
    return localFault(facts, log.hadDefault, way) !== null;
  };

  const asking = (way: Way, askedAt: number) => ({
    askedAt,
    now: clock.monotonicMs(),
    given,
    isMainWay:
      way.kind !== 'route' || isDefault(way.route) || [...ways.values()].every(({ heard }) => heard.size === 0),
  });

  const faultOfAddress = async (address: string, begun: number, isUnreachable: boolean): Promise<string | null> => {
    const since = isUnreachable ? begun - unreachableLingersMs : begun;
    const bad = badFacts(address, since);
    if (bad !== null) return bad;
    const { facts, way } = hostAt(address);
    if (way.kind === 'local' || way.kind === 'rejected' || gatewayCheck === 'off') return null;
    // A family that this machine never had is the target's problem, unless answers arrive by a route that the facts do
    // not show.
    if (way.kind === 'none' && !ways.has(way.key)) return null;
    const evidence = evidenceOf(way.key);
    const attempt = { address, begun, failed: clock.monotonicMs(), since };
    let judgement = judge(evidence, attempt);
    if (judgement === 'ask') {
      const askedAt = await ask(facts, way);
      // The cable may have been unplugged since then.
      const turnedBad = badFacts(address, since);
      if (turnedBad !== null) return turnedBad;
      judgement = judgeAsked(evidence, attempt, asking(way, askedAt));
    }
    return judgement === 'own' ? silenceOn(way.key, evidence) : null;
  };

  const silenceOn = (key: string, { heard: witnesses, lastContact }: Evidence): string => {
    const seconds = Math.max(0, Math.round((clock.monotonicMs() - lastContact) / 1000));
    const names = [...witnesses.keys()].slice(-3);
    const who = given ? 'none of the witnesses of UPTIME_GATEWAY_CHECK answers' : 'no host answers';
    const since = lastContact === -Infinity ? '' : `, the last did ${seconds} s ago`;
    return `${who} by ${key}${names.length === 0 ? '' : ` (asked: ${names.join(', ')})`}${since}`;
  };

  /** An address that represents everything behind a default route. */
  const beyond = (facts: Facts) => [...new Set(defaultRoutes(facts).map(({ family }) => anywhere[family]))];

  return {
    heard,
    async faultOf(addresses, begun, isUnreachable = false) {
      const { facts } = log.current(factsHoldAtFailureMs);
      const targets = addresses.length > 0 ? addresses : beyond(facts);
      if (targets.length === 0) return log.hadDefault.size > 0 ? 'its default route is gone' : null;
      const ofFamilies = targets.filter((address) => {
        const way = wayTo(facts, address);
        return targets.length === 1 || way.kind !== 'none' || log.hadDefault.has(way.family);
      });
      // If one address was unreachable through no fault of ours, that is enough for a verdict.
      const faults = await Promise.all(ofFamilies.map((address) => faultOfAddress(address, begun, isUnreachable)));
      const fault = faults.includes(null) ? null : (faults[0] ?? null);
      if (fault !== null) {
        const now = clock.monotonicMs();
        withoutVerdict = { count: now - withoutVerdict.latest > 60_000 ? 1 : withoutVerdict.count + 1, latest: now };
      }
      return fault;
    },
    stillWaiting(addresses, begun) {
      const isBad = addresses.length > 0 && badNow(addresses[0]!);
      log.current(isBad ? badFactsHoldMs : factsHoldMs);
      if (gatewayCheck === 'off') return;
      const now = clock.monotonicMs();
      for (const address of addresses) {
        const { facts, way } = hostAt(address);
        if (way.kind !== 'route') continue;
        const evidence = evidenceOf(way.key);
        const lately = Math.max(evidence.lastContact, evidence.silentAt) > now - factsHoldMs;
        const others = knownWitnesses(evidence).some((witness) => witness.address !== address);
        if (lately || probes.has(way.key) || (!others && !given)) continue;
        void ask(facts, way).then((askedAt) =>
          judgeAsked(evidence, { address, begun, failed: now }, asking(way, askedAt)),
        );
      }
    },
    trouble() {
      const { facts } = log.current(factsHoldMs);
      const lost = [...log.hadDefault].filter((family) => {
        const routes = defaultRoutes(facts).filter((route) => route.family === family);
        return routes.every((route) => linkFault(facts, route.interface, family) !== null);
      });
      const bad = lost.map((family) => badFacts(anywhere[family], clock.monotonicMs()));
      const since = clock.monotonicMs() - troubleHoldsMs;
      const silent = [...ways].find(([, { silence, silentAt }]) => silence?.to === Infinity && silentAt > since);
      const what = bad.find((fault) => fault !== null) ?? (silent ? silenceOn(...silent) : null);
      if (what === null) return null;
      const { count, latest } = withoutVerdict;
      const checks = clock.monotonicMs() - latest > 60_000 ? '' : ` ${count} check(s) gave no verdict.`;
      return `The checker has no network: ${what}.${checks}`;
    },
  };
}
