import { retryDelayMs } from '../core/link-backoff.ts';
import { plainLine } from '../core/plain-line.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { longestSyncMs, probeProtocol, type SentSyncCall, type SyncAnswer } from '../probe-protocol.ts';
import { wait } from '../wait.ts';
import type { ServerTime } from './server-time.ts';
import type { KeptAssignments } from './keep-assignments.ts';
import { type Link, Refused } from './link.ts';
import type { ResultQueue } from './result-queue.ts';

/** After a final refusal, the probe asks again after this time: a restored server may know the token again. */
const refusedPauseMs = 30_000;
/** A stopping probe tries for at most this long to tell the server that it leaves. */
const leaveMs = 1000;

export interface SyncingOptions {
  link: Link;
  probe: string;
  version: string;
  queue: Pick<ResultQueue, 'waiting'>;
  serverTime: ServerTime;
  assignments: KeptAssignments;
  fault: () => string | null;
  /** Called with the region in each answer, before the monitors in that answer are stored. */
  onRegion: (region: SyncAnswer['region']) => Promise<void>;
  /** Called with each answer, after the monitors in it are stored. */
  onAnswer: (answer: SyncAnswer) => Promise<void>;
  stopping: AbortSignal;
}

/** Keeps the probe's monitors equal to those that the server assigns. */
export interface Syncing {
  /** Rejects if the server refuses the first call for good. */
  refused: Promise<never>;
  /** Call this after the abort of `stopping`. Tells the server that this probe leaves. */
  close(): Promise<void>;
}

export function startSyncing(deps: Deps & { clock: SteadyClock }, options: SyncingOptions): Syncing {
  const { clock, log, random } = deps;
  const { link, serverTime, assignments, stopping } = options;
  const refused = Promise.withResolvers<never>();
  // If the probe stops first, nothing awaits this promise. Without this handler, a rejection would end the process.
  refused.promise.catch(() => {});
  let revision: string | null = null;

  const syncOnce = async () => {
    const body = await syncCall(deps, options, { revision });
    const sentAt = clock.monotonicMs();
    const answer = await link.sync(body, stopping);
    serverTime.measure(answer, sentAt);
    await options.onRegion(answer.region);
    await assignments.apply(answer);
    await options.onAnswer(answer);
    ({ revision } = answer);
  };

  const run = async () => {
    let failures = 0;
    let answered = false;
    while (!stopping.aborted) {
      try {
        await syncOnce();
        if (failures > 0 || !answered) log.info({}, 'the server answers');
        failures = 0;
        answered = true;
        continue;
      } catch (error) {
        if (stopping.aborted) return;
        failures++;
        const isFinal = error instanceof Refused && error.isFinal;
        if (isFinal && !answered) return refused.reject(error);
        if (error instanceof Refused && error.status === 401) {
          // A revoked probe keeps no secrets.
          await assignments.clear();
          revision = null;
          log.error({ err: error }, 'the server refuses the token: checks stop, and the monitors are removed');
        } else if (failures === 1)
          log.warn({ err: error }, 'the server does not answer as it should: checks continue, and results wait');
        await wait(clock, isFinal ? refusedPauseMs : retryDelayMs(failures, random), stopping);
      }
    }
  };
  const running = run();

  return {
    refused: refused.promise,
    async close() {
      await running;
      try {
        await link.sync(
          await syncCall(deps, options, { revision, leaving: true, waitMs: 0 }),
          AbortSignal.timeout(leaveMs),
        );
      } catch (error) {
        log.debug({ err: error }, 'the server did not hear that this probe stops');
      }
    },
  };
}

/** The present state of the probe, in the form that the server expects. */
async function syncCall(
  { clock }: { clock: SteadyClock },
  { probe, version, queue, serverTime, fault: currentFault }: SyncingOptions,
  more: Pick<SentSyncCall, 'revision'> & Partial<SentSyncCall>,
): Promise<SentSyncCall> {
  const fault = currentFault();
  return {
    protocol: probeProtocol,
    probe,
    version,
    sentAt: clock.now(),
    waitMs: longestSyncMs,
    ...(await queue.waiting()),
    skewMs: serverTime.skewMs(),
    fault: fault === null ? null : plainLine(fault).slice(0, 300),
    ...more,
  };
}
