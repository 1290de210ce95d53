import type { promises as dns } from 'node:dns';
import type { Clock } from '../deps.ts';
import type { Deadline, Interruption } from './deadline.ts';
import type { DnsChannels } from './dns-channels.ts';
import { CheckFailure, codeOf } from './failure.ts';
import { lookupFailure } from './lookup-failure.ts';
import type { NameServerAddress } from './name-server-lists.ts';
import type { OwnNetwork } from './own-network/own-network.ts';
import { cleanFailures, type ResolverHealth, proofMs } from './resolver-health.ts';

/**
 * Resolvers cache failures for some seconds. For this time after a fault of the resolver, a failed query for a name
 * proves nothing about the name.
 */
const failuresKeptMs = 6000;
/** The error codes which mean that no answer arrived. */
export const noAnswerCodes = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EFILE']);

/** A name, its query, and the server to ask: the monitor's own, or null for the checker's. */
export interface Question<T> {
  name: string;
  server: string | null;
  query: (channel: dns.Resolver) => Promise<T>;
}

export interface Failed {
  code: string;
  /** Why the check was interrupted; null if the query itself failed. */
  cut: Interruption | null;
}
type Outcome<T> = { found: T } | Failed;

/** Returns the answer to a query, or the failure of the query. A timeout is a failure too. */
export async function outcomeOf<T>(deadline: Deadline, query: () => Promise<T>): Promise<Outcome<T>> {
  if (deadline.over) return { code: 'ETIMEOUT', cut: deadline.over };
  try {
    return await new Promise<Outcome<T>>((resolve, reject) => {
      deadline.onInterrupt((why) => resolve({ code: 'ETIMEOUT', cut: why }));
      query().then((found) => resolve({ found }), reject);
    });
  } catch (error) {
    return { code: codeOf(error), cut: null };
  } finally {
    deadline.offInterrupt();
  }
}

/**
 * Repeats a failed query, to find out what is at fault: the name, the resolver, or the network behind the resolver.
 * Each function returns the answer to the repeated query, or throws a CheckFailure.
 */
export interface SecondQueries {
  /** Asks the monitor's own server again. */
  ownServer<T>(question: Question<T>, deadline: Deadline, code: string): Promise<T>;
  /**
   * Continues after the resolver did not answer. Asks again for this name, and also for other names, to see whether the
   * resolver works.
   */
  afterNoAnswer<T>(question: Question<T>, deadline: Deadline, first: Failed, askedMonoMs: number): Promise<T>;
  /**
   * Continues after the resolver reported a failure. If other names fail too, the failure says nothing about this name.
   */
  afterFailure<T>(question: Question<T>, deadline: Deadline, code: string, askedMonoMs: number): Promise<T>;
}

/** The parts of a resolver that repeated queries use. */
export interface SecondQueriesOptions {
  clock: Clock;
  channels: DnsChannels;
  health: ResolverHealth;
  network: Pick<OwnNetwork, 'faultOf'>;
  /** Returns the only name server, if it is outside this machine. Null if it is local, or if there are several. */
  remoteServer: () => NameServerAddress | null;
  /** Is called after a query. `isValid` says whether the answer was valid. */
  settled: (question: Question<unknown>, isValid: boolean) => void;
}

export function createSecondQueries(options: SecondQueriesOptions): SecondQueries {
  const { clock, channels, health, network, remoteServer, settled } = options;
  /** Repeats a query on a separate channel, so that other names cannot affect it. */
  const again = <T>({ server, query }: Question<T>) => {
    const channel = channels.ownChannel(server);
    return channels.hold(channel, query(channel));
  };

  async function ownServer<T>(question: Question<T>, deadline: Deadline, code: string): Promise<T> {
    const second = deadline.over ? null : await outcomeOf(deadline, () => again(question));
    if (second && 'found' in second) return second.found;
    throw lookupFailure(second?.code ?? code, question.name, question.server);
  }

  async function afterNoAnswer<T>(
    question: Question<T>,
    deadline: Deadline,
    { code, cut }: Failed,
    askedMonoMs: number,
  ): Promise<T> {
    const { name } = question;
    const [named, lives, fault] = await Promise.all([
      inTime(clock, again(question)),
      health.answersOthers(name, null, deadline),
      faultBeyondStub(askedMonoMs),
    ]);
    // The resolver answers now. If the time is already up, the resolver lost the first query: the name is not at fault.
    if (named && 'found' in named) {
      if (!cut && !deadline.over) return named.found;
      throw atFault(name, 'did not answer in time');
    }
    const last = named?.code ?? code;
    if (!cleanFailures.has(last) && (!lives || health.faultMonoMs() > askedMonoMs - failuresKeptMs))
      throw atFault(name, 'does not answer');
    if (fault !== null) throw networkFault(fault, name);
    // The name is at fault. For example, if its own servers are dead, the resolver waits for them, and may answer too
    // late.
    throw lookupFailure(last, name, null);
  }

  async function afterFailure<T>(
    question: Question<T>,
    deadline: Deadline,
    code: string,
    askedMonoMs: number,
  ): Promise<T> {
    const { name } = question;
    const [works, fault] = await Promise.all([
      health.answersOthers(name, code, deadline),
      faultBeyondStub(askedMonoMs),
    ]);
    if (!works) throw atFault(name, `fails for every name (${code.slice(1)})`);
    if (fault !== null) throw networkFault(fault, name);
    // The resolver works now, so its answer to the repeated query decides.
    const second = deadline.over ? null : await outcomeOf(deadline, () => again(question));
    if (second && 'found' in second) {
      settled(question, true);
      return second.found;
    }
    const last = second && !second.cut ? second.code : code;
    if (!cleanFailures.has(last) && health.faultMonoMs() > askedMonoMs - failuresKeptMs)
      throw atFault(name, `failed for every name a moment ago (${last.slice(1)})`);
    throw lookupFailure(last, name, null);
  }

  /**
   * Returns the fault of this machine's network. Such a fault also makes a resolver on this machine fail. Returns null
   * if the network works, or if the only resolver is outside this machine.
   */
  const faultBeyondStub = (askedMonoMs: number): Promise<string | null> =>
    remoteServer() ? Promise.resolve(null) : network.faultOf([], askedMonoMs);

  return { ownServer, afterNoAnswer, afterFailure };
}

const atFault = (name: string, what: string) =>
  new CheckFailure('internal', `the checker's own resolver ${what} (asked for ${name})`);

const networkFault = (fault: string, name: string) =>
  new CheckFailure('internal', `this machine has no network: ${fault} (looking up ${name})`);

/** Returns the answer or the reported error, if it arrives within `proofMs`; otherwise null. */
function inTime<T>(clock: Clock, answer: Promise<T>): Promise<{ found: T } | { code: string } | null> {
  return new Promise((resolve) => {
    const giveUp = clock.after(proofMs, () => resolve(null));
    const settle = (outcome: { found: T } | { code: string } | null) => {
      giveUp();
      resolve(outcome);
    };
    answer.then(
      (found) => settle({ found }),
      (error: unknown) => settle(noAnswerCodes.has(codeOf(error)) ? null : { code: codeOf(error) }),
    );
  });
}
