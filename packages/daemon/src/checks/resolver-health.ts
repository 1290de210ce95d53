import type { Clock } from '../deps.ts';
import type { Deadline } from './deadline.ts';
import type { DnsChannels } from './dns-channels.ts';
import { codeOf } from './failure.ts';

/** Tells a resolver that fails for every name from one that fails for a single name. */
export interface ResolverHealth {
  /** A name was found, so that the next names can be held against it. */
  found(name: string): void;
  /**
   * Whether the resolver answers for other names in order, asked now: within half a second after the deadline, or 2 s.
   * `code` is what it said for the name, or null for silence. Names of the same domain are not asked: they may share
   * its fault.
   */
  answersOthers(name: string, code: string | null, deadline: Pick<Deadline, 'over'>): Promise<boolean>;
  /** When it was last found at fault, on the monotonic clock. */
  faultAt(): number;
}

/** Milliseconds that a resolver has to show that it lives. */
export const proofMs = 500;
/** Domains of which a name that was found is remembered. */
const mostDomains = 16;
const mostAsked = 3;
/** A name that no cache knows takes a while: so many times `proofMs` are given while the check has time left. */
const mostRounds = 4;

export function createResolverHealth(clock: Clock, channels: Pick<DnsChannels, 'ownChannel' | 'hold'>): ResolverHealth {
  const byDomain = new Map<string, string>();
  let questions = 0;
  let faultAt = -Infinity;

  /** A label that no cache knows: a stub that answers from its cache alone is no proof. */
  const unheardOf = (name: string) =>
    `uptime-${Math.floor(clock.now()).toString(36)}-${(questions++).toString(36)}.${name}`;

  return {
    found(name) {
      const domain = domainOf(name);
      byDomain.delete(domain);
      byDomain.set(domain, name);
      if (byDomain.size > mostDomains) byDomain.delete(byDomain.keys().next().value!);
    },
    async answersOthers(name, code, deadline) {
      const own = domainOf(name);
      const others = [...byDomain].filter(([domain]) => domain !== own).slice(-mostAsked);
      const channel = channels.ownChannel(null);
      const queries =
        others.length > 0
          ? others.map(([, other]) => channel.resolve4(unheardOf(other)).then(() => null, codeOf))
          : [channel.resolveNs('.').then(() => null, codeOf)];
      void channels.hold(channel, Promise.all(queries));
      const works = await anyInTime(
        clock,
        deadline,
        queries,
        (said) =>
          // Some resolvers refuse to answer for the root, and no other name is known: then it lives.
          said === null || cleanFailures.has(said) || (others.length === 0 && said === 'EREFUSED' && code !== said),
      );
      channel.cancel();
      if (!works) faultAt = clock.monotonic();
      return works;
    },
    faultAt: () => faultAt,
  };
}

/** Failures by which a resolver says that it looked, and that there is nothing. */
export const cleanFailures: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']);

/** The last two labels: what is administered, and fails, together. */
const domainOf = (name: string) => {
  const last = name.lastIndexOf('.');
  return last < 0 ? name : name.slice(name.lastIndexOf('.', last - 1) + 1);
};

/** Whether one of the answers is as wanted, as soon as that is known. */
function anyInTime(
  clock: Clock,
  deadline: Pick<Deadline, 'over'>,
  answers: readonly Promise<string | null>[],
  isWanted: (said: string | null) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    let pending = answers.length;
    const settle = (works: boolean) => {
      giveUp();
      resolve(works);
    };
    let giveUp = () => {};
    const arm = (round: number) => {
      giveUp = clock.after(proofMs, () => (round < mostRounds && !deadline.over ? arm(round + 1) : settle(false)));
    };
    arm(1);
    for (const answer of answers)
      void answer.then((said) => {
        pending--;
        if (isWanted(said)) settle(true);
        else if (pending === 0) settle(false);
      });
  });
}
