import { describe, expect, test } from 'vitest';
import { commandProperty, commandText, fenced, visible, withoutCommands } from './escapes.ts';

test.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'])(
  'the direction mark %j is replaced by its visible code',
  (mark) => expect(visible(`a${mark}b`)).toBe(`a\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}b`),
);

test('text without direction marks is unchanged', () => {
  const text = 'Käse 🧀 می‌خواهم\n\tx';
  expect(visible(text)).toBe(text);
});

describe('a block of code', () => {
  test.each([
    ['plain', '```'],
    ['a `b` c', '```'],
    ['``` end', '````'],
    ['a ````` b', '``````'],
  ])('a block of code around %j has the fence %s, so the text cannot end the block', (text, fence) => {
    expect(fenced(text, 'diff')).toBe(`${fence}diff\n${text}\n${fence}`);
  });
});

describe('for the log of GitHub Actions', () => {
  test.each([
    ['::error::x', ':\u200b:error::x'],
    ['  ::set-output name=a::b', '  :\u200b:set-output name=a::b'],
    ['x\n::warning::y', 'x\n:\u200b:warning::y'],
    ['##[error]x', '## [error]x'],
    ['a ##[group]b ##[group]c', 'a ## [group]b ## [group]c'],
    ['url: https://h::1', 'url: https://h::1'],
  ])('withoutCommands returns %j as %j', (text, safe) => expect(withoutCommands(text)).toBe(safe));

  test.each([
    ['100 %', '100 %25', '100 %25'],
    ['a\nb\rc', 'a%0Ab%0Dc', 'a%0Ab%0Dc'],
    ['a:b,c', 'a:b,c', 'a%3Ab%2Cc'],
    ['%0A', '%250A', '%250A'],
    ['##[error]', '## [error]', '## [error]'],
    ['a\u202eb', 'a\\u202eb', 'a\\u202eb'],
  ])('commandText returns %j as %j, and commandProperty returns it as %j', (text, message, property) => {
    expect(commandText(text)).toBe(message);
    expect(commandProperty(text)).toBe(property);
  });
});
