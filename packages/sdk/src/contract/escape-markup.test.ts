import { expect, test } from 'vitest';
import { escapeMarkup } from './escape-markup.ts';

test('escapeMarkup escapes the characters that end a text or a quoted attribute, and text that is already escaped', () => {
  expect(escapeMarkup('<a b="c" d=\'e\'>f & g</a>')).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;f &amp; g&lt;/a&gt;');
  expect(escapeMarkup('&amp;')).toBe('&amp;amp;');
});

test('escapeMarkup leaves all other characters unchanged', () => {
  expect(escapeMarkup('a\t\n`=/é短👩‍💻\u0000')).toBe('a\t\n`=/é短👩‍💻\u0000');
});
