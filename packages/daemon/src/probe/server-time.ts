import { addSample, type ClockSample, correctionMs } from '../core/clock-offset.ts';
import type { SteadyClock } from '../deps.ts';
import type { SyncAnswer } from '../probe-protocol.ts';
import type { EarlyCorrection } from './early-results.ts';

/**
 * Largest accepted error of the machine's clock. With a larger error, valid certificates could seem expired or not
 * valid yet. So then every check counts as a checker fault.
 */
const maxSkewMs = 3_600_000;

/** Keeps the probe's clock equal to the server's clock. */
export interface ServerTime {
  /**
   * Corrects the clock by the times in an answer of the server. `sentMonoMs` is the monotonic time at which the call
   * was sent.
   */
  measure(answer: Pick<SyncAnswer, 'now' | 'keptMs'>, sentMonoMs: number): void;
  /** By how much the machine's clock is ahead of the server's; null before the first exchange. */
  skewMs(): number | null;
  /** Whether this process has had an exchange with the server. */
  isMeasured(): boolean;
  /** The correction for the times of checks that ended before the first exchange. */
  earlyCorrection(): EarlyCorrection;
  /** Why no check can get a verdict now, or null. */
  fault(): string | null;
}

export function createServerTime(clock: SteadyClock): ServerTime {
  let samples: ClockSample[] = [];
  let measured = false;
  let early: EarlyCorrection = 0;
  const skewMs = () => (measured ? Math.round(clock.skewMs()) : null);
  return {
    skewMs,
    isMeasured: () => measured,
    earlyCorrection: () => early,
    measure({ now, keptMs }, sentMonoMs) {
      const roundTripMs = Math.max(0, clock.monotonicMs() - sentMonoMs - keptMs);
      samples = addSample(samples, { roundTripMs, offsetMs: now + roundTripMs / 2 - clock.now() });
      const byMs = correctionMs(samples);
      // TLS compares certificate dates with the machine's clock. If that clock was wrong by more than `maxSkewMs`,
      // earlier results may have wrong verdicts. Null makes these results checker faults.
      if (!measured) early = Math.max(Math.abs(byMs), Math.abs(clock.skewMs() - byMs)) > maxSkewMs ? null : byMs;
      measured = true;
      if (byMs === 0) return;
      clock.step(byMs);
      samples = samples.map((sample) => ({ ...sample, offsetMs: sample.offsetMs - byMs }));
    },
    fault() {
      const skew = skewMs();
      if (skew === null || Math.abs(skew) <= maxSkewMs) return null;
      const hours = Math.round(Math.abs(skew) / 360_000) / 10;
      return `The clock of this machine is ${hours} h ${skew > 0 ? 'ahead of' : 'behind'} the server's: set it. Until then, checks get no verdict.`;
    },
  };
}
