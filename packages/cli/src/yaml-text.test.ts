import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from './yaml-text.ts';

test('any data is read again unchanged from the YAML of yamlText', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small' }), (data) => {
      // JSON has only one zero, so this conversion turns -0 into 0 before the comparison.
      const written = JSON.parse(JSON.stringify(data)) as unknown;
      expect(parse(yamlText(written))).toEqual(written);
    }),
  );
});

test('a long text stays on one line, so that a search finds it', () => {
  const text = 'word '.repeat(100).trim();
  expect(yamlText({ text })).toBe(`text: ${text}\n`);
});

test.each(['yes', 'no', 'on', 'null', '~', '1e3', '0x10', '2026-01-31', '- a', 'a: b', '# a', ' a', '*a', '&a', '<<'])(
  'the text %j is read again as a text',
  (text) => {
    expect(parse(yamlText({ text }))).toEqual({ text });
    expect(parse(yamlText({ [text]: 1 }))).toEqual({ [text]: 1 });
  },
);
