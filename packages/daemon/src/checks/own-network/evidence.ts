/** The evidence about one route out of the machine. All times are on the monotonic clock, in milliseconds. */
export interface Evidence {
  /** When a host on this route last answered. */
  lastContactMonoMs: number;
  /** The hosts that have answered on this route, at most `maxReferenceHosts`. */
  answeredHosts: Map<string, ReferenceHost>;
  /**
   * Addresses of targets that failed while no host had ever answered on this route: at most `maxReferenceHosts`. Two
   * of them are enough to blame the network.
   */
  askedInVain: Set<string>;
  /** The last period in which no host answered. `toMonoMs` is Infinity while the period lasts. */
  noAnswer: { fromMonoMs: number; toMonoMs: number } | null;
  /** When the reference hosts last failed to answer. */
  noAnswerSeenMonoMs: number;
}

/** A host that has answered before. Another answer from it shows that the network works. */
export interface ReferenceHost {
  address: string;
  port: number;
  /** A name server is asked by DNS, because many answer nothing else. */
  via: 'tcp' | 'dns';
  /** When the host last answered. */
  answeredMonoMs: number;
}

/** A check that failed in a way that the checker's own network could have caused. */
export interface Attempt {
  address: string;
  begunMonoMs: number;
  failedMonoMs: number;
  /** A network fault that ended before this time did not cause the failure. Default: `begunMonoMs`. */
  sinceMonoMs?: number;
}

/** The cause of a failure: the target, or the checker's own network. `ask`: the reference hosts must be asked first. */
export type Judgement = 'target' | 'own' | 'ask';

/**
 * After the reference hosts gave no answer, they are not asked again for this long. So if many checks fail at once, the
 * hosts are asked only once.
 */
const findingHoldsMs = 500;
/** If a host on the route answered at most this long before the failure, the network worked. */
const freshMs = 1000;
/** Maximum number of reference hosts remembered for a route. */
const maxReferenceHosts = 64;
/** If a host gave no answer for this long, but other hosts answered, it counts as gone and is no longer asked. */
const referenceHoldsMs = 15 * 60_000;

export const noEvidence = (): Evidence => ({
  lastContactMonoMs: -Infinity,
  answeredHosts: new Map(),
  askedInVain: new Set(),
  noAnswer: null,
  noAnswerSeenMonoMs: -Infinity,
});

/** Records an answer of a host. */
export function recordAnswer(evidence: Evidence, { address, port, via, answeredMonoMs }: ReferenceHost): void {
  const { answeredHosts, noAnswer } = evidence;
  if (answeredMonoMs > evidence.lastContactMonoMs) evidence.lastContactMonoMs = answeredMonoMs;
  if (noAnswer?.toMonoMs === Infinity) noAnswer.toMonoMs = answeredMonoMs;
  const host = answeredHosts.get(address);
  if (host) {
    host.answeredMonoMs = answeredMonoMs;
    host.port = port;
    host.via = via;
    return;
  }
  if (answeredHosts.size >= maxReferenceHosts) answeredHosts.delete(answeredHosts.keys().next().value!);
  answeredHosts.set(address, { address, port, via, answeredMonoMs });
}

/**
 * Returns the cause of a failure, as far as the evidence shows it. If the check overlaps a period in which no host
 * answered, the checker's own network is at fault.
 */
export function judge(
  evidence: Evidence,
  { begunMonoMs, failedMonoMs, sinceMonoMs = begunMonoMs }: Attempt,
): Judgement {
  const { noAnswer } = evidence;
  if (
    noAnswer &&
    noAnswer.toMonoMs !== Infinity &&
    sinceMonoMs <= noAnswer.toMonoMs &&
    failedMonoMs >= noAnswer.fromMonoMs
  )
    return 'own';
  if (noAnswer?.toMonoMs === Infinity && failedMonoMs - evidence.noAnswerSeenMonoMs < findingHoldsMs) return 'own';
  // In a short check, only an answer during the later half counts, because an earlier answer may precede the fault.
  const fresh = Math.min(freshMs, (failedMonoMs - begunMonoMs) / 2);
  return evidence.lastContactMonoMs >= failedMonoMs - fresh ? 'target' : 'ask';
}

/** When and how the reference hosts were asked. */
export interface Asked {
  askedMonoMs: number;
  nowMonoMs: number;
  /** Whether the operator named the reference hosts. */
  given: boolean;
  /**
   * False if this is not a default route, and hosts have answered on other routes. Then this machine is not at fault,
   * even if no host ever answered on this route.
   */
  isMainRoute?: boolean;
}

/**
 * Returns whose fault a failure is, after the reference hosts were asked. If none of them answered, this machine's
 * network is at fault in three cases:
 * - The operator named the hosts.
 * - A host other than the target answered earlier.
 * - Several targets failed on a main route (see `isMainRoute`), and no host ever answered on it.
 * In all other cases, the target is at fault.
 */
export function judgeAsked(
  evidence: Evidence,
  attempt: Attempt,
  { askedMonoMs, nowMonoMs, given, isMainRoute = true }: Asked,
): Exclude<Judgement, 'ask'> {
  if (evidence.lastContactMonoMs >= askedMonoMs) return judge(evidence, attempt) === 'own' ? 'own' : 'target';
  const { answeredHosts, askedInVain } = evidence;
  if (answeredHosts.size === 0 && askedInVain.size < maxReferenceHosts) askedInVain.add(attempt.address);
  const others = knownReferenceHosts(evidence).some(({ address }) => address !== attempt.address);
  const noHostEver = isMainRoute && answeredHosts.size === 0 && askedInVain.size > 1;
  if (!given && !others && !noHostEver) return 'target';
  recordNoAnswer(evidence, nowMonoMs);
  return 'own';
}

/** Records that no host answered. The period without an answer began with the last answer. */
function recordNoAnswer(evidence: Evidence, nowMonoMs: number): void {
  if (evidence.noAnswer?.toMonoMs !== Infinity)
    evidence.noAnswer = { fromMonoMs: evidence.lastContactMonoMs, toMonoMs: Infinity };
  evidence.noAnswerSeenMonoMs = nowMonoMs;
}

/**
 * Returns the hosts that are expected to answer: each answered at most `referenceHoldsMs` before the last answer of any
 * host.
 */
export const knownReferenceHosts = ({ answeredHosts, lastContactMonoMs }: Evidence): ReferenceHost[] =>
  [...answeredHosts.values()].filter(({ answeredMonoMs }) => answeredMonoMs >= lastContactMonoMs - referenceHoldsMs);

/**
 * Returns the reference hosts to ask: the `recent` hosts that answered last, and `others` of the other hosts. `turn`
 * decides which of the other hosts are returned. Other hosts are asked because the hosts that answered last might all
 * be in one part of the network that has failed.
 */
export function referenceHostsToAsk(evidence: Evidence, recent: number, others: number, turn: number): ReferenceHost[] {
  const sorted = knownReferenceHosts(evidence).toSorted((a, b) => b.answeredMonoMs - a.answeredMonoMs);
  const rest = sorted.slice(recent);
  const start = rest.length === 0 ? 0 : (turn * others) % rest.length;
  return [...sorted.slice(0, recent), ...[...rest.slice(start), ...rest.slice(0, start)].slice(0, others)];
}
