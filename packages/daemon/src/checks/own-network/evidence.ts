/** What is known of one way out of the machine. All times are on the monotonic clock, in milliseconds. */
export interface Evidence {
  /** When a host on this way last answered. */
  lastContact: number;
  /** The hosts that ever answered on it, with the port that did. Bounded. */
  heard: Map<string, Witness>;
  /** Targets that were asked in vain before any host ever answered. Bounded. */
  askedInVain: Set<string>;
  /** The last time in which no host answered; `to` is Infinity while that lasts. */
  silence: { from: number; to: number } | null;
  /** When the witnesses were last found silent. */
  silentAt: number;
}

export interface Witness {
  address: string;
  port: number;
  /** A name server is asked by DNS: many answer nothing else. */
  via: 'tcp' | 'dns';
  /** When it last answered. */
  at: number;
}

/** A check that failed in a way that the checker's own network could have caused. */
export interface Attempt {
  address: string;
  begun: number;
  failed: number;
  /** A fault of the network from then on would explain the failure; `begun` by default. */
  since?: number;
}

export type Judgement = 'target' | 'own' | 'ask';

/** So long a finding of silence holds without asking again: many checks fail at once, and one finding serves all. */
const findingHoldsMs = 500;
/** An answer of another host this long before the failure, at most, shows that the network worked. */
const freshMs = 1000;
/** Witnesses remembered for a way. */
const mostWitnesses = 64;
/** A host that was silent for so long while others answered is gone for good, and its silence tells nothing. */
const witnessHoldsMs = 15 * 60_000;

export const noEvidence = (): Evidence => ({
  lastContact: -Infinity,
  heard: new Map(),
  askedInVain: new Set(),
  silence: null,
  silentAt: -Infinity,
});

/** A host answered. */
export function hear(evidence: Evidence, { address, port, via, at }: Witness): void {
  const { heard, silence } = evidence;
  if (at > evidence.lastContact) evidence.lastContact = at;
  if (silence?.to === Infinity) silence.to = at;
  const witness = heard.get(address);
  if (witness) {
    witness.at = at;
    witness.port = port;
    witness.via = via;
    return;
  }
  if (heard.size >= mostWitnesses) heard.delete(heard.keys().next().value!);
  heard.set(address, { address, port, via, at });
}

/**
 * Whose fault a failure is, by what is known now. A check that overlaps a silence of the network tells nothing about
 * its target. `ask`: the witnesses must be asked first.
 */
export function judge(evidence: Evidence, { begun, failed, since = begun }: Attempt): Judgement {
  const { silence } = evidence;
  if (silence && silence.to !== Infinity && since <= silence.to && failed >= silence.from) return 'own';
  if (silence?.to === Infinity && failed - evidence.silentAt < findingHoldsMs) return 'own';
  // Of a short check only the later half counts: the answer may have come before the network was lost.
  const fresh = Math.min(freshMs, (failed - begun) / 2);
  return evidence.lastContact >= failed - fresh ? 'target' : 'ask';
}

/** How the witnesses were asked. */
export interface Asked {
  askedAt: number;
  now: number;
  /** There are witnesses that the operator named. */
  given: boolean;
  /** False for a side route while other ways work: that nobody ever answered on it is no fault of this machine. */
  isMainWay?: boolean;
}

/**
 * Whose fault a failure is, once the witnesses were asked. Without another host that ever answered, nothing speaks
 * against the target.
 */
export function judgeAsked(
  evidence: Evidence,
  attempt: Attempt,
  { askedAt, now, given, isMainWay = true }: Asked,
): Exclude<Judgement, 'ask'> {
  if (evidence.lastContact >= askedAt) return judge(evidence, attempt) === 'own' ? 'own' : 'target';
  const { heard, askedInVain } = evidence;
  if (heard.size === 0 && askedInVain.size < mostWitnesses) askedInVain.add(attempt.address);
  const others = knownWitnesses(evidence).some(({ address }) => address !== attempt.address);
  const nobodyEver = isMainWay && heard.size === 0 && askedInVain.size > 1;
  if (!given && !others && !nobodyEver) return 'target';
  found(evidence, now);
  return 'own';
}

/** Nobody answered: the silence has lasted since the last contact. */
export function found(evidence: Evidence, now: number): void {
  if (evidence.silence?.to !== Infinity) evidence.silence = { from: evidence.lastContact, to: Infinity };
  evidence.silentAt = now;
}

/** The hosts whose silence would tell something: they answered when the way last worked. */
export const knownWitnesses = ({ heard, lastContact }: Evidence): Witness[] =>
  [...heard.values()].filter(({ at }) => at >= lastContact - witnessHoldsMs);

/** Whom to ask: those heard most recently, and others by turns, so that a part that died together is not all asked. */
export function witnessesToAsk(evidence: Evidence, recent: number, others: number, turn: number): Witness[] {
  const sorted = knownWitnesses(evidence).toSorted((a, b) => b.at - a.at);
  const rest = sorted.slice(recent);
  const start = rest.length === 0 ? 0 : (turn * others) % rest.length;
  return [...sorted.slice(0, recent), ...[...rest.slice(start), ...rest.slice(0, start)].slice(0, others)];
}
