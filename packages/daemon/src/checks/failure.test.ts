import { expect, test } from 'vitest';
import { oneLine } from './failure.ts';

test('text from a target becomes one line that has no control characters and cannot reverse the reading direction', () => {
  expect(oneLine(' a\r\n\tb\u001b[31m c\u202Etxt.exe\u2066d\u2028e ')).toBe('a b [31m c txt.exe d e');
  expect(oneLine('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
});

test('a text that is cut within a surrogate pair stays well-formed, so that a server accepts it from a probe', () => {
  expect(oneLine(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}\ufffd…`);
});
