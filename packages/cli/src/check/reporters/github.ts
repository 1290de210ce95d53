import { plain } from '../../output.ts';
import { countText, hasFailed, type MonitorTest, reasonOf, type Reporter } from '../test-report.ts';

/** Prints workflow commands of GitHub Actions, which annotate the lines of the manifest. */
export const github: Reporter = {
  onEnd: (report, pathOf) => {
    const failed = report.tests.filter(hasFailed).map((test) => annotation(test, pathOf));
    return `${[...failed, countText(report)].join('\n')}\n`;
  },
};

function annotation(test: MonitorTest, pathOf: (file: string) => string): string {
  const { file, line, column } = test.place;
  // A checker fault says nothing about the target, so the level is only `warning`.
  const level = test.outcome?.verdict === 'internal' ? 'warning' : 'error';
  const properties = { file: pathOf(file), line, col: column, title: `${plain(test.name)} failed its check` };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${pairs.join(',')}::${data(plain(reasonOf(test)))}`;
}

/**
 * Escapes line breaks, because a line break would end the message. Escapes percent signs, because GitHub reads `%0A` as
 * a line break. Also escapes `##[`, which begins another command.
 */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('##[', '## [');

/** Escapes the value of a property: the characters that `data` escapes, and the characters that end a property. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
