import { plain } from '../../output.ts';
import { countText, hasFailed, reasonOf, type Reporter } from '../test-report.ts';

/** Prints one character for each monitor, and the failures at the end. */
export const dot: Reporter = {
  onTest: (test) => (test.skipped !== null ? 's' : hasFailed(test) ? 'F' : '.'),
  onEnd: (report) =>
    [
      '',
      ...report.tests.filter(hasFailed).map((test) => `${plain(test.name)}: ${plain(reasonOf(test))}`),
      countText(report),
      '',
    ].join('\n'),
};
