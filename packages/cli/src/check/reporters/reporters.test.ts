import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { junitFaults } from '../../testing/junit-faults.ts';
import { readXml } from '../../testing/xml-tree.ts';
import type { MonitorTest } from '../test-report.ts';
import { dot } from './dot.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { list } from './list.ts';

const outcome = (verdict: 'up' | 'down' | 'internal', message = 'it is "closed"\n& <gone>') => ({
  verdict,
  responseTime: 12.4,
  error: verdict === 'up' ? null : { code: 'connect_refused', message },
});
const about = (name: string, change: object): MonitorTest => ({
  name,
  key: null,
  type: 'tcp',
  place: { file: 'a,b:c.yaml', line: 3, column: 5 },
  outcome: null,
  tookMs: 0,
  skipped: null,
  ...change,
});

const pathOf = (file: string) => file;

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const hostile = 'A <b>"\' & ]]> ::error::x\n%0A\u001b[31m\u0000\ud800';
const tests = [
  about('Fine', { outcome: outcome('up'), tookMs: 15.2 }),
  about(hostile, { outcome: { ...outcome('down'), responseTime: null }, tookMs: 5000 }),
  about('Fault', { outcome: outcome('internal') }),
  about('Job', { skipped: 'waits for pings, so it cannot be tested' }),
];
const report = { tests, startedAt: Date.UTC(2026, 0, 2, 3, 4, 5), tookMs: 1500 };

test('list prints a line for each test, without control characters', () => {
  expect(tests.map((one) => list.onTest!(one)).join('') + list.onEnd(report, pathOf)).toBe(
    [
      'ok    Fine (12 ms)',
      'FAIL  A <b>"\' & ]]> ::error::x\ufffd%0A\ufffd\ud800: connect_refused: it is "closed"\ufffd& <gone>',
      'FAIL  Fault: connect_refused: it is "closed"\ufffd& <gone>',
      'skip  Job: waits for pings, so it cannot be tested',
      '1 of 3 passed, 1 not tested.',
      '',
    ].join('\n'),
  );
});

test('dot prints one character for each test, and failures at the end', () => {
  expect(tests.map((one) => dot.onTest!(one)).join('')).toBe('.FFs');
  expect(dot.onEnd(report, pathOf).split('\n')).toHaveLength(5);
});

test('github writes paths relative to the root of the repository, and an answer of a target cannot insert a workflow command', () => {
  const failed = about('A', { outcome: outcome('down', 'x ##[error]y') });
  const [error] = github.onEnd({ ...report, tests: [failed] }, (file) => `ops/${file}`).split('\n');
  expect(error).toBe(
    '::error file=ops/a%2Cb%3Ac.yaml,line=3,col=5,title=A failed its check::connect_refused: x ## [error]y',
  );
});

test('github annotates the line of the manifest, and the name of a monitor cannot insert another workflow command', () => {
  const [error = '', warning = '', count] = github.onEnd(report, pathOf).split('\n');
  expect(error).toMatch(
    /^::error file=a%2Cb%3Ac\.yaml,line=3,col=5,title=A <b>"' & \]\]> %3A%3Aerror%3A%3Ax\ufffd%250A.* failed its check::connect_refused/,
  );
  expect(warning).toMatch(/^::warning file=.*title=Fault/);
  expect(count).toBe('1 of 3 passed, 1 not tested.');
});

const casesOf = (xml: string) => readXml(xml).children[0]!.children.filter(({ name }) => name === 'testcase');

test('junit prints XML that follows the JUnit schema and contains the names of monitors and the reasons of failures', () => {
  const xml = junit.onEnd(report, pathOf);
  expect(junitFaults(readXml(xml))).toEqual([]);
  const suite = readXml(xml).children[0]!;
  expect(suite.attributes).toEqual({
    id: '0',
    package: 'monitors',
    name: 'uptime test',
    timestamp: '2026-01-02T03:04:05',
    hostname: 'localhost',
    tests: '4',
    failures: '1',
    errors: '1',
    skipped: '1',
    time: '1.500',
  });
  const [fine, failed, fault, skipped] = casesOf(xml);
  expect(fine).toMatchObject({
    attributes: { name: 'Fine', classname: 'a,b:c.yaml.tcp', time: '0.015' },
    children: [],
  });
  const [failure] = failed!.children;
  // The time of a test case is the duration of its check, not the response time. A check that timed out has no response
  // time.
  expect(failed!.attributes['time']).toBe('5.000');
  expect(failed!.attributes['name']).toBe('A <b>"\' & ]]> ::error::x %0A\ufffd[31m\ufffd\ufffd');
  expect(failure).toEqual({
    name: 'failure',
    attributes: { message: 'connect_refused: it is "closed" & <gone>', type: 'connect_refused' },
    children: [],
    text: 'a,b:c.yaml:3:5: connect_refused: it is "closed" & <gone>',
  });
  expect(fault!.children).toMatchObject([{ name: 'error' }]);
  expect(skipped!.children).toMatchObject([
    { name: 'skipped', attributes: { message: 'waits for pings, so it cannot be tested' } },
  ]);
});

test('junit prints valid XML for any text: random text, CDATA, entities, and characters that XML does not allow', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), minLength: 1 }),
    fc.constantFrom(
      ']]>',
      '<![CDATA[x]]>',
      '&amp;',
      '&#0;',
      '<!-- -->',
      '\u0000\u001b\u007f\u0085',
      '\ufffe\uffff\udc00',
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (texts) => {
      const some = texts.map(([name, message], line) =>
        about(`${line} ${name}`, { outcome: outcome('down', message), place: { file: name, line, column: 1 } }),
      );
      const xml = junit.onEnd({ ...report, tests: some }, pathOf);
      expect(junitFaults(readXml(xml))).toEqual([]);
      expect(casesOf(xml)).toHaveLength(texts.length);
    }),
    { numRuns: 300 },
  );
});

test('junit makes the names of test cases unique, because GitLab reads only the first of several test cases with one name', () => {
  const up = outcome('up');
  const twins = [
    about('Shop', { outcome: up, key: 'a' }),
    about('Shop', { outcome: up, place: { file: 'a,b:c.yaml', line: 9, column: 5 } }),
    about('Shop', { outcome: up, type: 'http' }),
  ];
  const xml = junit.onEnd({ ...report, tests: twins }, pathOf);
  expect(casesOf(xml).map(({ attributes }) => attributes['name'])).toEqual(['Shop (a)', 'Shop (line 9)', 'Shop']);
  expect(junitFaults(readXml(xml))).toEqual([]);
});

test('the junit report of 10,000 failures with the longest texts is smaller than 30 MB, the limit of GitLab', () => {
  const many = Array.from({ length: 10_000 }, (_, i) =>
    about(`${i}${'ü'.repeat(190)}`, { outcome: outcome('down', 'ü'.repeat(300)) }),
  );
  const xml = junit.onEnd({ ...report, tests: many }, pathOf);
  expect(Buffer.byteLength(xml)).toBeLessThan(30_000_000);
  expect(casesOf(xml)).toHaveLength(10_000);
});

test.each([
  ['<a/>', 'XML declaration'],
  [`${head}<a>\u0001</a>`, 'character that XML does not allow'],
  [`${head}<a><b></a></b>`, 'Expected </b>'],
  [`${head}<a b="1" b="2"/>`, 'only once'],
  [`${head}<a>&x;</a>`, 'an entity'],
  [`${head}<a>x & y</a>`, 'an entity'],
  [`${head}<a>]]></a>`, ']]>'],
  [`${head}<a/><b/>`, 'the end of the document'],
])('the XML reader of these tests throws an error for %j', (xml, message) => {
  expect(() => readXml(xml)).toThrow(message);
});

test('json prints every test with its place in the manifest, and the counts of results', () => {
  const data = JSON.parse(json.onEnd(report, pathOf)) as { tests: unknown[] };
  expect(data).toMatchObject({ passed: 1, failed: 2, skipped: 1, tookMs: 1500, startedAt: '2026-01-02T03:04:05.000Z' });
  expect(data.tests[3]).toMatchObject({
    name: 'Job',
    verdict: null,
    skipped: 'waits for pings, so it cannot be tested',
  });
});
