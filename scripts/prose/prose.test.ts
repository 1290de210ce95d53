import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFaults } from './find-faults.ts';
import { passageOf } from './passage.ts';
import { readHashComments } from './read-hash-comments.ts';
import { readMarkdown, unreleasedPart } from './read-markdown.ts';
import { readSource } from './read-source.ts';

const program = resolve(import.meta.dirname, '../check-prose.ts');
const phrasesOf = (text: string) => findFaults(passageOf([text], 1)).map(({ phrase }) => phrase);

test.each([
  ['What this checker holds itself is checked beside it.', 'What'],
  ['It waits. Who comes alone waits for the rest.', 'Who'],
  ['Whoever has the link can read it.', 'Whoever'],
  ['Whose client takes nothing is closed.', 'Whose'],
  ['Of several daemons, one orders.', 'Of'],
  ['It is kept; what is over is dropped.', '; what'],
  ['A gap in it is none.', 'is none'],
  ['A check on request is no round.', 'is no round'],
  ['It counts for this project alone.', 'alone'],
  ['It sends all but for the last.', 'but for'],
  ['The daemon is reached by way of a proxy.', 'by way of'],
  ['The channel is told at once.', 'is told'],
  ['The rule tells of an outage.', 'tells of'],
  ['The address answers 404 without a secret.', 'answers 404'],
  ['The address answers `404` without a secret.', 'answers `404'],
  ['A page holds up nobody.', 'nobody'],
  ['It counts, for it was seen inside.', ', for it'],
  ['A silence is held against the job.', 'held against'],
  ['Faults of the checker judge nothing.', 'judge nothing'],
  ['A heartbeat has an hour of patience.', 'patience'],
  [`It ${'waits and '.repeat(16)}ends.`, 'It waits and waits and waits and waits a …'],
])('the check refuses "%s"', (sentence, phrase) => {
  expect(phrasesOf(sentence)).toContain(phrase);
});

test.each([
  'The daemon closes clients that stop reading, even if they keep writing.',
  'What does the daemon store? (may be empty)',
  'It returns null if there is none.',
  `(1) It ${'reads and '.repeat(9)}waits; (2) it ${'reads and '.repeat(9)}ends.`,
  `Both hold: (a) it ${'reads and '.repeat(9)}waits; (b) it ${'reads and '.repeat(9)}ends.`,
  'There is no timer.',
  'The check is no longer due.',
  'The daemon leaves it alone.',
  'It prints what the server returned.',
  'Do not begin with "Who" or write "is none".',
  'The value of `what is none alone` is code.',
  'See [the page](docs/nobody.md) for more.',
  'It has one, two and three. It has four. It has five, e.g. Node. It ends after 2.5 s.',
  `It takes ${'`a`, '.repeat(40)}and \`b\`.`,
])('the check accepts "%s"', (sentence) => {
  expect(phrasesOf(sentence)).toEqual([]);
});

test('a fault has the number of its line, even inside a paragraph', () => {
  const page = '# What majority means\n\nFirst line\nof a paragraph with\nnobody in it.\n';
  expect(readMarkdown(page).flatMap(findFaults)).toMatchObject([{ line: 5, phrase: 'nobody' }]);
});

test('the check reads the cells of tables, but not code blocks', () => {
  const page = '```sh\nnobody alone\n```\n\n| what it is | nobody |\n|---|---|\n| what it has | what is none |\n';
  expect(readMarkdown(page).flatMap(findFaults)).toMatchObject([
    { line: 5, phrase: 'nobody' },
    { line: 7, phrase: 'is none' },
  ]);
});

test('the check reads only the unreleased part of a changelog', () => {
  const changelog = '# Changelog\n\nnobody\n\n## Unreleased\n\n- nobody\n\n## 1.0.0\n\n- nobody\n';
  expect(readMarkdown(unreleasedPart(changelog)).flatMap(findFaults)).toMatchObject([{ line: 7 }]);
});

test('the check reads the comments and texts of a source, but not its names or examples', () => {
  const source = [
    '// Who waits',
    '// here is told.',
    'import { nobody } from "./nobody is told.ts";',
    '/**',
    ' * Fails for nobody.',
    ' *   nobody.is(code)',
    ' * 1. It is a list,',
    ' *    told to nobody.',
    ' *',
    ' * @example',
    ' * nobody()',
    ' */',
    'const alone = `The rule of ${nobody()} is told`; // It is none.',
    "const name = ['alone', 'nobody is'];",
    'const query = sql`select what is none from ${"This is told here"}`;',
    '//   nobody runs this',
  ].join('\n');
  const found = readSource(source).flatMap(findFaults);
  expect(found.map(({ line, phrase }) => `${line} ${phrase}`).toSorted()).toEqual([
    '1 Who',
    '13 is none',
    '13 is told',
    '15 is told',
    '2 is told',
    '5 nobody',
    '8 nobody',
  ]);
});

test('the check reads the comments and titles of a test, but not its inputs', () => {
  const source = [
    '// Who waits here',
    'describe.each(databases)("the retries that nobody expects", () => {',
    '  test("the channel is told at once", () => expect("this is told to nobody").toBe(1));',
    '  it.each([["the channel is told"]])(`${name} sends to nobody else`, () => {});',
    '});',
    'const codes = [1, // the first code of the list that the target sends to the check',
    '  2, // the second code of the list that the target sends, after all the others that came before it in time',
    '];',
  ].join('\n');
  const found = readSource(source, 'x.test.ts').flatMap(findFaults);
  expect(found.map(({ line, phrase }) => `${line} ${phrase}`)).toEqual(['1 Who', '2 nobody', '3 is told', '4 nobody']);
});

test('the check reads the comments of a manifest, but not its values or commands', () => {
  const manifest = [
    '# A manifest for nobody.',
    '#   uptime apply --nobody',
    'name: "#nobody is told"  # one channel alone',
    '# A second',
    '# comment is told.',
  ].join('\n');
  const found = readHashComments(manifest).flatMap(findFaults);
  expect(found.map(({ line, phrase }) => `${line} ${phrase}`)).toEqual(['1 nobody', '3 alone', '5 is told']);
});

test('the program prints each place and fails, or prints nothing and succeeds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prose-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const page = join(folder, 'page.md');
  writeFileSync(page, 'The daemon waits.\n\nIt waits for nobody.\n');
  const bad = spawnSync(process.execPath, [program, page], { encoding: 'utf8' });
  expect(bad.stdout).toMatch(/page\.md:3: "nobody": name the process or the person.*\n1 place to reword/);
  expect(bad.status).toBe(1);
  writeFileSync(page, 'The daemon waits.\n');
  expect(spawnSync(process.execPath, [program, page], { encoding: 'utf8' })).toMatchObject({ stdout: '', status: 0 });
});
