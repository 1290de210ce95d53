import { escapeMarkup } from '@uptime/sdk/contract';
import { hasFailed, type MonitorTest, reasonOf, type Reporter, type TestReport } from '../test-report.ts';

/**
 * Prints JUnit XML for CI servers: one test suite, with a test case for each monitor. Texts are escaped. CDATA would
 * not be safe, because a `]]>` in a target's answer would end it.
 */
export const junit: Reporter = {
  onEnd: (report) => suites(report),
};

function suites({ tests, startedAt, tookMs }: TestReport): string {
  const count = (fits: (test: MonitorTest) => boolean) => tests.filter(fits).length;
  const suite = attributes({
    id: 0,
    package: 'monitors',
    name: 'uptime test',
    timestamp: new Date(startedAt).toISOString().slice(0, 19),
    hostname: 'localhost',
    tests: tests.length,
    failures: count((test) => hasFailed(test) && !isFault(test)),
    errors: count(isFault),
    skipped: count(({ skipped }) => skipped !== null),
    time: seconds(tookMs),
  });
  const nameOf = namesOf(tests);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${suite}>`,
    '    <properties/>',
    ...tests.map((test) => testCase(test, nameOf(test))),
    '    <system-out/>',
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Whether the checker itself failed, which says nothing about the target. */
const isFault = ({ outcome }: MonitorTest): boolean => outcome?.verdict === 'internal';

const classOf = ({ place, type }: MonitorTest): string => `${place.file}.${type}`;

/**
 * Returns a function that names the test case of a monitor. Monitors that share a name get a suffix, because GitLab
 * shows only the first of several test cases with the same name.
 */
function namesOf(tests: readonly MonitorTest[]): (test: MonitorTest) => string {
  const identity = (test: MonitorTest) => `${classOf(test)}\n${test.name}`;
  const alike = Map.groupBy(tests, identity);
  return (test) => {
    if (alike.get(identity(test))!.length === 1) return test.name;
    return `${test.name} (${test.key ?? `line ${test.place.line}`})`;
  };
}

function testCase(test: MonitorTest, name: string): string {
  const time = seconds(test.tookMs);
  const open = `<testcase ${attributes({ name, classname: classOf(test), time })}`;
  const inner = content(test);
  return inner === '' ? `    ${open}/>` : `    ${open}>${inner}</testcase>`;
}

function content(test: MonitorTest): string {
  if (test.skipped !== null) return `<skipped ${attributes({ message: test.skipped })}/>`;
  if (!hasFailed(test)) return '';
  const { error } = test.outcome!;
  const attributeText = attributes({ message: reasonOf(test), type: error?.code ?? 'unknown' });
  const { file, line, column } = test.place;
  const tag = isFault(test) ? 'error' : 'failure';
  return `<${tag} ${attributeText}>${escapeXml(`${file}:${line}:${column}: ${reasonOf(test)}`)}</${tag}>`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (of: Record<string, string | number>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ');

/**
 * Escapes text for XML. Changes line breaks and tabs to spaces, as XML parsers do in attributes. Some characters are
 * not allowed in XML, not even if they are escaped. In place of such a character, writes U+FFFD, which readers notice.
 */
const escapeXml = (text: string): string =>
  escapeMarkup(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (char) => (char === '\n' || char === '\t' ? ' ' : '\ufffd')),
  );
