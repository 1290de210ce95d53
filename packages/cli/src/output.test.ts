import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Io } from './io.ts';
import { type Format, output } from './output.ts';

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
