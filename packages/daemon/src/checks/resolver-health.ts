import type { Clock } from '../deps.ts';
import type { Deadline } from './deadline.ts';
import type { DnsChannels } from './dns-channels.ts';
import { codeOf } from './failure.ts';

/** Distinguishes a resolver that fails for every name from a resolver that fails for a single name. */
export interface ResolverHealth {
  /** Records that a name was found. A later query for a name below it can show that the resolver works. */
  found(name: string): void;
  /**
   * Whether the resolver now answers correctly for names other than `name`. The test takes 2 s at most, and ends within
   * half a second after the deadline. `code` is the error that the resolver reported for `name`; null if it did not
   * answer. The test does not ask for names of the domain of `name`, because they may fail for the same reason.
   */
  answersOthers(name: string, code: string | null, deadline: Pick<Deadline, 'over'>): Promise<boolean>;
  /** When the resolver was last found at fault, on the monotonic clock. */
  faultMonoMs(): number;
}

/** Time in which a resolver has to show that it works. */
export const proofMs = 500;
/** Maximum number of remembered domains. For each domain, one name that was found is remembered. */
const maxDomains = 16;
const maxAsked = 3;
/**
 * A look-up of a name that is not cached may need longer than `proofMs`. While the check has time left, the look-up
 * gets up to this many times `proofMs`.
 */
const maxRounds = 4;

export function createResolverHealth(clock: Clock, channels: Pick<DnsChannels, 'ownChannel' | 'hold'>): ResolverHealth {
  const byDomain = new Map<string, string>();
  let questions = 0;
  let faultMonoMs = -Infinity;

  /** Prefixes a name with a label that no cache knows, because an answer from a cache proves nothing. */
  const uncached = (name: string) =>
    `uptime-${Math.floor(clock.now()).toString(36)}-${(questions++).toString(36)}.${name}`;

  return {
    found(name) {
      const domain = domainOf(name);
      byDomain.delete(domain);
      byDomain.set(domain, name);
      if (byDomain.size > maxDomains) byDomain.delete(byDomain.keys().next().value!);
    },
    async answersOthers(name, code, deadline) {
      const own = domainOf(name);
      const others = [...byDomain].filter(([domain]) => domain !== own).slice(-maxAsked);
      const channel = channels.ownChannel(null);
      const queries =
        others.length > 0
          ? others.map(([, other]) => channel.resolve4(uncached(other)).then(() => null, codeOf))
          : [channel.resolveNs('.').then(() => null, codeOf)];
      void channels.hold(channel, Promise.all(queries));
      const works = await anyInTime(
        clock,
        deadline,
        queries,
        (answerCode) =>
          // Some resolvers refuse to answer for the root. If no other name is known, the refusal counts as a sign of
          // life.
          answerCode === null ||
          cleanFailures.has(answerCode) ||
          (others.length === 0 && answerCode === 'EREFUSED' && code !== answerCode),
      );
      channel.cancel();
      if (!works) faultMonoMs = clock.monotonicMs();
      return works;
    },
    faultMonoMs: () => faultMonoMs,
  };
}

/** Error codes of a resolver that works, and found no such name or record. */
export const cleanFailures: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']);

/** Returns the last two labels of a name. Names with the same last two labels often fail together. */
const domainOf = (name: string) => {
  const last = name.lastIndexOf('.');
  return last < 0 ? name : name.slice(name.lastIndexOf('.', last - 1) + 1);
};

/** Whether an answer that satisfies the condition arrives in time. Resolves as soon as that is known. */
function anyInTime(
  clock: Clock,
  deadline: Pick<Deadline, 'over'>,
  answers: readonly Promise<string | null>[],
  isWanted: (answerCode: string | null) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    let pending = answers.length;
    const settle = (works: boolean) => {
      giveUp();
      resolve(works);
    };
    let giveUp = () => {};
    const arm = (round: number) => {
      giveUp = clock.after(proofMs, () => (round < maxRounds && !deadline.over ? arm(round + 1) : settle(false)));
    };
    arm(1);
    for (const answer of answers)
      void answer.then((answerCode) => {
        pending--;
        if (isWanted(answerCode)) settle(true);
        else if (pending === 0) settle(false);
      });
  });
}
