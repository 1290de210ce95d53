import { expect, test } from 'vitest';
import type { Io } from './io.ts';
import { output } from './output.ts';

test('text of others moves no cursor in JSON, and stays what it is', async () => {
  const printed: string[] = [];
  const data = { name: 'a\u001b[31m\u007f\u009b31m\u0085b' };
  await output({ print: (text: string) => void printed.push(text) } as Io, 'json', data, () => '');
  expect(printed[0]!.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(printed[0]!)).toEqual(data);
});
