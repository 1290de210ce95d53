import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Io } from './io.ts';
import { escapeControls, type Format, output, pairs, plain } from './output.ts';

test.each<[Format, (text: string) => unknown]>([
  ['json', JSON.parse],
  ['yaml', parse],
])('in %s, text from a server cannot move the cursor, and a parser reads it unchanged', async (format, read) => {
  const printed: string[] = [];
  const name = 'a\u001b[31m\u007f\u009b31m\u0085b';
  const data = { name, plain: '\u009b2J', several: `a: #\n${name}\n\u009b1m\n`, [name]: [name] };
  await output({ print: (text: string) => void printed.push(text) } as Io, format, data, () => '');
  expect(printed[0]!.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(read(printed[0]!)).toEqual(data);
});

test.each([
  ['a tab as a space', 'a\tb', 'a b'],
  ['a line break as U+FFFD', 'a\r\nb\u2028c\u2029d', 'a\ufffd\ufffdb\ufffdc\ufffdd'],
  ['no sequences that style text or move the cursor', '\u001b[31ma\u001b[2J\u009b1Ab', 'ab'],
  ['other control characters as U+FFFD', '\u0000a\u0007\u007f\u0085', '\ufffda\ufffd\ufffd\ufffd'],
  ['other text unchanged', 'Käse 👩‍💻 \\u0007', 'Käse 👩‍💻 \\u0007'],
])('plain shows %s', (_, text, shown) => {
  expect(plain(text)).toBe(shown);
});

test('escapeControls escapes only DEL and C1 characters, because the libraries escape the others', () => {
  expect(escapeControls('\u007f\u0080\u009b\u009f')).toBe('\\u007f\\u0080\\u009b\\u009f');
  expect(escapeControls('a\n\t~\u00a0é👩‍💻')).toBe('a\n\t~\u00a0é👩‍💻');
});

test('pairs puts all values in one column, and shows each as one line without blanks at its end', () => {
  const entries = [
    ['id', 'mon_1'],
    ['name', 'Shop\u001b[2J\nStock'],
    ['description', ''],
  ] as const;
  expect(pairs(entries)).toBe('id:          mon_1\nname:        Shop\ufffdStock\ndescription:');
});
