import type { CheckErrorCode } from '@uptime/sdk/contract';
import type { CheckContext, CheckOutcome, SeenCertificate, Timings, TraceStep } from './check.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { CheckFailure, oneLine } from './failure.ts';
import type { Witness } from './own-network/evidence.ts';

/** One check under way: its deadline, and what it found so far. */
export interface Run {
  readonly context: CheckContext;
  readonly deadline: Deadline;
  readonly startedAt: number;
  /** Seconds. */
  readonly timeout: number;
  readonly timings: Timings;
  readonly trace: TraceStep[];
  responseTime: number | null;
  statusCode: number | null;
  certificate: SeenCertificate | null;
  /** Takes secrets out of what is told. Null while the target has said nothing in its own words. */
  hide: ((text: string) => string) | null;
  /** The addresses that the check tries to reach now. */
  peers: readonly string[];
  /** The one that answered. */
  answered: Pick<Witness, 'address' | 'port' | 'via'> | null;
}

/** Milliseconds since the check began. */
export const elapsed = (run: Run): number => run.context.clock.monotonic() - run.startedAt;

/** Adds a step to the trace; what comes from a target is held to one line. */
export function note(run: Run, event: string): void {
  run.trace.push({ at: round(elapsed(run)), event: plain.test(event) && !run.hide ? event : told(run, event) });
}

const told = (run: Run, text: string): string => oneLine(run.hide ? run.hide(text) : text);

const plain = /^[\x20-\x7e]{0,300}$/;

/** Adds the time since `from` (on the monotonic clock) to a phase, and answers the time now. */
export function spent(run: Run, phase: keyof Timings, from: number): number {
  const now = run.context.clock.monotonic();
  run.timings[phase] = (run.timings[phase] ?? 0) + now - from;
  return now;
}

/** Conducts one check: whatever its body throws becomes the outcome, and its deadline ends with it. */
export async function conduct(
  timeout: number,
  context: CheckContext,
  body: (run: Run) => Promise<void>,
): Promise<CheckOutcome> {
  const startedAt = context.clock.monotonic();
  const run: Run = {
    context,
    deadline: startDeadline(context.clock, timeout * 1000, context.signal, () => {
      if (run.peers.length > 0) context.network.stillWaiting(run.peers, startedAt);
    }),
    startedAt,
    timeout,
    timings: { dns: null, connect: null, tls: null, firstByte: null, download: null },
    trace: [],
    responseTime: null,
    statusCode: null,
    certificate: null,
    hide: null,
    peers: [],
    answered: null,
  };
  let failure: CheckFailure | null = null;
  try {
    await body(run);
    hearPeer(run);
  } catch (error) {
    run.deadline.end();
    failure = await excused(run, spoiled(run, asFailure(error)));
    note(run, `${failure.code}: ${failure.message}`);
  } finally {
    run.deadline.end();
  }
  return outcomeOf(run, failure);
}

function outcomeOf(run: Run, failure: CheckFailure | null): CheckOutcome {
  const { timings } = run;
  for (const phase of phases) {
    const time = timings[phase];
    if (time !== null) timings[phase] = round(time);
  }
  return {
    verdict: failure === null ? 'up' : failure.code === 'internal' ? 'internal' : 'down',
    error: failure && { code: failure.code, message: told(run, failure.message) },
    responseTime: run.responseTime === null ? null : round(run.responseTime),
    statusCode: run.statusCode,
    timings,
    certificate: run.certificate,
    trace: run.trace,
  };
}

const phases = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const satisfies (keyof Timings)[];

/** A lookup that took this long, in milliseconds, lost a query on the way: c-ares asks again after so long. */
const lostQuery = 1000;

/**
 * What a target does to a connection that nobody served for a second is no verdict on it; nor is that it did not answer
 * in what our own resolver had left of the time.
 */
function spoiled(run: Run, failure: CheckFailure): CheckFailure {
  const impatient = failure.code === 'reset' || failure.code === 'http_incomplete';
  if (impatient && run.deadline.lag() >= 1000)
    return new CheckFailure('internal', `the checker itself stalled during the check (${failure.message})`);
  const late = failure.code === 'timeout' || failure.code === 'connect_timeout';
  const lookup = run.timings.dns ?? 0;
  if (late && lookup >= Math.max(lostQuery, run.timeout * 500)) {
    const took = `the checker's own resolver took ${(lookup / 1000).toFixed(1)} s of the ${run.timeout} s`;
    return new CheckFailure('internal', `${took} (${failure.message})`);
  }
  return failure;
}

/** The target answered just now, so the network works. */
function hearPeer({ answered, context }: Run): void {
  if (answered) context.network.heard(answered.address, answered.port, answered.via);
}

/** Failures that a network of the checker's own that is gone could bring about, too. */
const ofNetworks = new Set<CheckErrorCode>([
  'connect_timeout',
  'unreachable',
  'timeout',
  'dns_timeout',
  // c-ares says so of a name server that it found no way to.
  'dns_refused',
]);

/** A failure to reach the target is no verdict on it where the checker's own network is at fault. */
async function excused(run: Run, failure: CheckFailure): Promise<CheckFailure> {
  if (/^(http_(?!incomplete)|tls_)/.test(failure.code)) hearPeer(run);
  if (!ofNetworks.has(failure.code) || run.peers.length === 0) return failure;
  const fault = await run.context.network.faultOf(run.peers, run.startedAt, failure.code === 'unreachable');
  if (fault === null) return failure;
  return new CheckFailure('internal', `this machine has no network: ${fault} (${failure.message})`);
}

function asFailure(error: unknown): CheckFailure {
  if (error instanceof CheckFailure) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new CheckFailure('internal', `the checker failed: ${words}`, { cause: error });
}

const round = (ms: number) => Math.round(ms * 100) / 100;
