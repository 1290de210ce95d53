import { expect, test } from 'vitest';
import { plainLine } from './plain-line.ts';

test('text from another system becomes one line without control characters', () => {
  expect(plainLine(' a\r\n\tb\u0000\u001bc\u0085\u2028d ')).toBe('a b c d');
});

test('characters that reverse the reading direction become spaces', () => {
  expect(plainLine('a\u202eb\u2066c')).toBe('a b c');
});

test('half a surrogate pair becomes a replacement character', () => {
  expect(plainLine('a\ud800b')).toBe('a\ufffdb');
});
