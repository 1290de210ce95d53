import type { CheckOutcome } from '@uptime/daemon/checks';
import type { Place } from '../manifest/diagnostic.ts';

/** The possible reasons why a monitor was not tested. */
export type Skipped = 'waits for pings, so it cannot be tested' | 'is paused' | 'not started: another test failed';

/** The test of one monitor. */
export interface MonitorTest {
  name: string;
  key: string | null;
  type: string;
  /** The place of the monitor in the manifest. */
  place: Place;
  outcome: CheckOutcome | null;
  /** How long the check took, including its retries; 0 if the monitor was not tested. */
  tookMs: number;
  /** The reason why there is no outcome; null if there is one. */
  skipped: Skipped | null;
}

/** A monitor that was tested. */
export type Tested = MonitorTest & { outcome: CheckOutcome };

/** A finished run of tests, in the order of the manifest. */
export interface TestReport {
  tests: readonly MonitorTest[];
  /** When the run began, in epoch milliseconds. */
  startedAt: number;
  tookMs: number;
}

/** One way to report a run of tests. */
export interface Reporter {
  /** Returns the text to print when one test has ended. Tests may end in any order. */
  onTest?: (test: MonitorTest) => string;
  /** Returns the text for the end of the run. `pathOf` returns a file's path relative to the root of the repository. */
  onEnd: (report: TestReport, pathOf: (file: string) => string) => string;
}

export const isTested = (test: MonitorTest): test is Tested => test.outcome !== null;
export const hasPassed = ({ outcome }: MonitorTest): boolean => outcome?.verdict === 'up';
export const hasFailed = ({ outcome }: MonitorTest): boolean => outcome !== null && outcome.verdict !== 'up';

/** Returns why the test failed, as one line. */
export const reasonOf = ({ outcome }: MonitorTest): string =>
  outcome?.error ? `${outcome.error.code}: ${outcome.error.message}` : (outcome?.verdict ?? '');

/** Returns the counts of tests as a sentence: `2 of 3 passed, 1 not tested.` */
export function countText({ tests }: TestReport): string {
  const skipped = tests.filter((test) => test.skipped !== null).length;
  const run = tests.length - skipped;
  return `${tests.filter(hasPassed).length} of ${run} passed${skipped > 0 ? `, ${skipped} not tested` : ''}.`;
}
