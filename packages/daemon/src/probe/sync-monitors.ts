import { retryDelayMs } from '../core/link-backoff.ts';
import { plainLine } from '../core/plain-line.ts';
import { versionsToText } from '../core/version-buckets.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { maxSyncMs, probeProtocol, type SentSyncCall, type SyncAnswer } from '../probe-protocol.ts';
import { digestVersions } from '../version-digests.ts';
import { wait } from '../wait.ts';
import { createLoggedFault } from './logged-fault.ts';
import type { ServerTime } from './server-time.ts';
import type { KeptAssignments } from './keep-assignments.ts';
import { type Link, Refused } from './link.ts';
import type { ResultQueue } from './result-queue.ts';

/**
 * Even after a final refusal (`isFinal` in link.ts), the probe calls the server again after this time. If the server
 * was restored from a backup, it may know the token again.
 */
const refusedWaitMs = 30_000;
/** Minimum time between two calls if the answer to the first call contains no change and no question. */
const emptyCallsEveryMs = 1000;
/** A stopping probe tries for at most this long to tell the server that it leaves. */
const maxLeaveMs = 1000;

export interface SyncingOptions {
  link: Link;
  probe: string;
  /** A random name of this process: see probe-protocol.ts. */
  run: string;
  /** Whether the server has answered this process. `onAnswer` makes it true. */
  hasJoined: () => boolean;
  version: string;
  queue: Pick<ResultQueue, 'waiting'>;
  serverTime: ServerTime;
  assignments: KeptAssignments;
  fault: () => string | null;
  /** Whether most checks give no verdict now. */
  isFailing: () => boolean;
  /** Called for each answer, with its region and its rule for targets, before the monitors in it are stored. */
  onPlace: (place: Pick<SyncAnswer, 'region' | 'targets'>) => Promise<void>;
  /** Called with each answer, after the monitors in it are stored. */
  onAnswer: (answer: SyncAnswer) => Promise<void>;
  stopping: AbortSignal;
}

/** Keeps the probe's monitors equal to those that the server assigns. */
export interface Syncing {
  /** Rejects if the server refuses the first call for good. */
  refused: Promise<never>;
  /** Tells the server that this probe stops. Call it after `stopping` was aborted. */
  close(): Promise<void>;
}

export function startSyncing(deps: Deps & { clock: SteadyClock }, options: SyncingOptions): Syncing {
  const { clock, log, random } = deps;
  const { link, hasJoined, serverTime, assignments, stopping } = options;
  const refused = Promise.withResolvers<never>();
  // The caller may have stopped waiting for this promise when it rejects. Without this handler, the rejection would
  // then end the process.
  refused.promise.catch(() => {});
  let asked: readonly number[] = [];
  const fault = createLoggedFault(log, options.fault);

  const syncOnce = async () => {
    const body = await syncCall(
      deps,
      { ...options, fault },
      { asked, ...(hasJoined() ? {} : { joins: true, waitMs: 0 }) },
    );
    const sentMonoMs = clock.monotonicMs();
    const answer = await link.sync(body, stopping);
    serverTime.measure(answer, sentMonoMs);
    await options.onPlace(answer);
    await assignments.apply(answer);
    await options.onAnswer(answer);
    asked = answer.ask;
    // Usually the server waits for a change before it answers. If a server does not wait, this rest limits how often
    // it is called.
    const restMs = emptyCallsEveryMs - (clock.monotonicMs() - sentMonoMs);
    if (!hasNews(answer) && restMs > 0) await wait(clock, restMs, stopping);
  };

  const run = async () => {
    let failures = 0;
    while (!stopping.aborted) {
      try {
        const isFirst = !hasJoined();
        await syncOnce();
        if (failures > 0 || isFirst) log.info({}, 'the server answers');
        failures = 0;
        continue;
      } catch (error) {
        if (stopping.aborted) return;
        failures++;
        const isFinal = error instanceof Refused && error.isFinal;
        const isRefused = isFinal && !hasJoined();
        try {
          if (error instanceof Refused && error.isRevoked) {
            // A revoked probe keeps no secrets.
            await assignments.clear();
            asked = [];
          }
        } finally {
          if (isRefused) refused.reject(error);
        }
        if (isRefused) return;
        logFailure(log, error, failures);
        await wait(clock, isFinal ? refusedWaitMs : retryDelayMs(failures, random), stopping);
      }
    }
  };
  const running = run();

  return {
    refused: refused.promise,
    async close() {
      await running;
      await leave(deps, options);
    },
  };
}

/** Tells the server that this probe stops, so that other probes take over at once. */
async function leave(deps: Deps & { clock: SteadyClock }, options: SyncingOptions): Promise<void> {
  try {
    const call = await syncCall(deps, options, { asked: [], leaving: true, waitMs: 0 });
    await options.link.sync(call, AbortSignal.timeout(maxLeaveMs));
  } catch (error) {
    deps.log.debug({ err: error }, 'the server did not hear that this probe stops');
  }
}

/** Logs a failed call. If calls fail in a row, only the first failure is logged, except for a revoked token. */
function logFailure(log: Deps['log'], error: unknown, failures: number): void {
  if (error instanceof Refused && error.isRevoked)
    log.error({ err: error }, 'the server refuses the token: checks stop, and the monitors are removed');
  else if (failures > 1) return;
  else if (error instanceof Refused && error.isFinal)
    log.error({ err: error }, 'the server refuses this probe: checks continue, and results wait');
  else log.warn({ err: error }, 'the server does not answer as it should: checks continue, and results wait');
}

/** Whether an answer changes the monitors of the probe, or asks for their versions. */
const hasNews = ({ assignments, unavailable, removed, ask }: SyncAnswer): boolean =>
  assignments.length + unavailable.length + removed.length + ask.length > 0;

/** Returns the body of the next sync call: the present state of the probe. */
async function syncCall(
  { clock }: { clock: SteadyClock },
  { probe, run, version, queue, serverTime, assignments, fault: currentFault, isFailing }: SyncingOptions,
  { asked, ...more }: { asked: readonly number[] } & Partial<SentSyncCall>,
): Promise<SentSyncCall> {
  const fault = currentFault();
  const { buckets, digests } = await digestVersions(await assignments.versions());
  return {
    protocol: probeProtocol,
    probe,
    run,
    version,
    sentAt: clock.now(),
    has: [...digests],
    versions: asked.map((bucket) => ({ bucket, text: versionsToText(buckets[bucket]!) })),
    waitMs: maxSyncMs,
    ...(await queue.waiting()),
    skewMs: serverTime.skewMs(),
    fault: fault === null ? null : plainLine(fault).slice(0, 300),
    // The checks of a probe that stops say nothing about the checks of its next process.
    failing: more.leaving !== true && isFailing(),
    ...more,
  };
}
