import { plain } from '../../output.ts';
import { countText, hasPassed, type MonitorTest, reasonOf, type Reporter } from '../test-report.ts';

/** Prints one line for each monitor as soon as the test of that monitor ends. */
export const list: Reporter = {
  onTest: (test) => `${line(test)}\n`,
  onEnd: (report) => `${countText(report)}\n`,
};

function line(test: MonitorTest): string {
  const name = plain(test.name);
  if (test.skipped !== null) return `skip  ${name}: ${test.skipped}`;
  if (hasPassed(test)) return `ok    ${name} (${Math.round(test.outcome?.responseTime ?? 0)} ms)`;
  return `FAIL  ${name}: ${plain(reasonOf(test))}`;
}
