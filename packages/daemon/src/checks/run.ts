import type { CheckErrorCode } from '@uptime/sdk/contract';
import type { CheckContext, CheckOutcome, SeenCertificate, Timings, TraceStep } from './check.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { CheckFailure, oneLine } from './failure.ts';
import type { ReferenceHost } from './own-network/evidence.ts';

/** One running check: its deadline, and its findings so far. */
export interface Run {
  readonly context: CheckContext;
  readonly deadline: Deadline;
  readonly startedMonoMs: number;
  readonly timeoutSeconds: number;
  readonly timings: Timings;
  readonly trace: TraceStep[];
  responseTime: number | null;
  statusCode: number | null;
  certificate: SeenCertificate | null;
  /** Masks secrets in texts. Null while the target has sent no text of its own. */
  hide: ((text: string) => string) | null;
  /** The addresses that the check tries to reach now. */
  peers: readonly string[];
  /** The address that answered. */
  answered: Pick<ReferenceHost, 'address' | 'port' | 'via'> | null;
}

/** Time since the check began. */
export const elapsedMs = (run: Run): number => run.context.clock.monotonicMs() - run.startedMonoMs;

/** Adds a step to the trace. Text from a target is shortened to one line. */
export function note(run: Run, event: string): void {
  run.trace.push({ at: round(elapsedMs(run)), event: plain.test(event) && !run.hide ? event : shortLine(run, event) });
}

const shortLine = (run: Run, text: string): string => oneLine(run.hide ? run.hide(text) : text);

const plain = /^[\x20-\x7e]{0,300}$/;

/** Adds the time since `fromMonoMs` to a phase. Returns the current time of the monotonic clock. */
export function spent(run: Run, phase: keyof Timings, fromMonoMs: number): number {
  const nowMonoMs = run.context.clock.monotonicMs();
  run.timings[phase] = (run.timings[phase] ?? 0) + nowMonoMs - fromMonoMs;
  return nowMonoMs;
}

/** Runs one check. An error that `body` throws becomes the outcome. The deadline ends with the check. */
export async function conduct(
  timeoutSeconds: number,
  context: CheckContext,
  body: (run: Run) => Promise<void>,
): Promise<CheckOutcome> {
  const startedMonoMs = context.clock.monotonicMs();
  const run: Run = {
    context,
    deadline: startDeadline(context.clock, timeoutSeconds * 1000, context.signal, () => {
      if (run.peers.length > 0) context.network.stillWaiting(run.peers, startedMonoMs);
    }),
    startedMonoMs,
    timeoutSeconds,
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
    recordPeerAnswer(run);
  } catch (error) {
    run.deadline.end();
    failure = await unlessNetworkFault(run, unlessCheckerCaused(run, asFailure(error)));
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
    error: failure && { code: failure.code, message: shortLine(run, failure.message) },
    responseTime: run.responseTime === null ? null : round(run.responseTime),
    statusCode: run.statusCode,
    timings,
    certificate: run.certificate,
    trace: run.trace,
  };
}

const phases = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const satisfies (keyof Timings)[];

/** c-ares repeats a query that was not answered within this time. So a slower lookup has probably lost a query. */
const lostQueryMs = 1000;

/**
 * Turns a failure that the checker caused into `internal`. Two failures say nothing about the target:
 * - The target closed the connection, and the event loop stalled for at least a second during the check.
 * - The check timed out, and the checker's own resolver used at least half of the timeout.
 */
function unlessCheckerCaused(run: Run, failure: CheckFailure): CheckFailure {
  const closedByTarget = failure.code === 'reset' || failure.code === 'http_incomplete';
  if (closedByTarget && run.deadline.lagMs() >= 1000)
    return new CheckFailure('internal', `the checker itself stalled during the check (${failure.message})`);
  const late = failure.code === 'timeout' || failure.code === 'connect_timeout';
  const lookup = run.timings.dns ?? 0;
  if (late && lookup >= Math.max(lostQueryMs, run.timeoutSeconds * 500)) {
    const took = `the checker's own resolver took ${(lookup / 1000).toFixed(1)} s of the ${run.timeoutSeconds} s`;
    return new CheckFailure('internal', `${took} (${failure.message})`);
  }
  return failure;
}

/** Records that the target answered just now, so the network works. */
function recordPeerAnswer({ answered, context }: Run): void {
  if (answered) context.network.recordAnswer(answered.address, answered.port, answered.via);
}

/** Failures that a loss of the checker's own network could cause too. */
const networkCodes = new Set<CheckErrorCode>([
  'connect_timeout',
  'unreachable',
  'timeout',
  'dns_timeout',
  // c-ares reports this for a name server without a route.
  'dns_refused',
]);

/** Turns a failure to reach the target into `internal` if the checker's own network is at fault. */
async function unlessNetworkFault(run: Run, failure: CheckFailure): Promise<CheckFailure> {
  if (/^(http_(?!incomplete)|tls_)/.test(failure.code)) recordPeerAnswer(run);
  if (!networkCodes.has(failure.code) || run.peers.length === 0) return failure;
  const fault = await run.context.network.faultOf(run.peers, run.startedMonoMs, failure.code === 'unreachable');
  if (fault === null) return failure;
  return new CheckFailure('internal', `this machine has no network: ${fault} (${failure.message})`);
}

function asFailure(error: unknown): CheckFailure {
  if (error instanceof CheckFailure) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new CheckFailure('internal', `the checker failed: ${words}`, { cause: error });
}

const round = (ms: number) => Math.round(ms * 100) / 100;
