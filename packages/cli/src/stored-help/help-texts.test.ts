import { expect, test } from 'vitest';
import { commands } from '../commands/index.ts';
import { run } from '../run.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { askedHelp } from './asked-help.ts';
import { helpTexts } from './help-texts.ts';

const texts = helpTexts();

/** Returns what the program itself prints in a pipe. */
async function printed(words: readonly string[]) {
  const { context, output } = recordedContext();
  return { exit: await run(words, context), ...output };
}

test('there is a stored help for the program, for each group, for each command and for each alias', () => {
  const lines = commands.flatMap(({ path, aliases = [] }) => [path, ...aliases]);
  const groups = lines.flatMap((line) => (line.includes(' ') ? [line.split(' ')[0]!] : []));
  expect(Object.keys(texts).toSorted()).toEqual([...new Set(['', ...groups, ...lines])].toSorted());
});

test.each(Object.keys(texts))('the stored help of "%s" equals the help that the program prints', async (line) => {
  const words = line.split(' ').filter(Boolean);
  const expected = { exit: 0, stdout: texts[line], stderr: '' };
  const asking = words.length % 2 === 0 ? ['help', ...words] : [...words, '--help'];
  expect(askedHelp(asking)).toBe(line);
  expect(await printed(asking)).toEqual(expected);
});

test.each<[string, string | null]>([
  ['--help', ''],
  ['-h', ''],
  ['help', ''],
  ['help apply', 'apply'],
  ['apply -h', 'apply'],
  ['monitors list --help', 'monitors list'],
  ['help exit-codes', 'exit-codes'],
  ['monitors get shop --help', 'monitors get shop'],
  ['monitors get Shop --help', null],
  ['--verbose ls --help', null],
  ['ls --help --wide', null],
  ['help apply --help', null],
  ['exec job -- echo --help', null],
  ['ls', null],
  ['', null],
])('askedHelp returns the command for which the line %j asks for help: %j', (line, words) => {
  expect(askedHelp(line.split(' ').filter(Boolean))).toBe(words);
});

test('there is no stored help for topics and unknown words, so the program itself answers these', () => {
  for (const words of ['manifest', 'exit-codes', 'monitors get shop', 'nonsense', 'constructor'])
    expect(Object.hasOwn(texts, words)).toBe(false);
});
