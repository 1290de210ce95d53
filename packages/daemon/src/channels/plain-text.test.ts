import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { plainText } from './plain-text.ts';
import { wordsFor } from './words.ts';

test('each part of a message is a line', () => {
  expect(plainText(wordsFor(messageOf()))).toBe(
    [
      '🔴 Down: Shop',
      'Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
      'https://shop.example/cart?a=1&b=2',
    ].join('\n'),
  );
});

test.each([1000, 1024, 2000])(
  'the whole text has at most %i characters, and its link is complete or left out',
  (maxCharacters) => {
    const long = 'x'.repeat(3000);
    const facts = Array.from({ length: 5 }, () => ({ label: 'Down since', value: long }));
    for (const length of [20, maxCharacters / 4, 3000]) {
      const link = `https://${'y'.repeat(length - 8)}`;
      const words = {
        title: long,
        sentence: long,
        cause: long,
        where: long,
        facts,
        link,
        tone: 'bad',
        emoji: '🔴',
      } as const;
      const text = plainText(words, { maxCharacters });
      expect(text.length).toBeLessThanOrEqual(maxCharacters);
      expect(text.includes(link)).toBe(length <= maxCharacters / 4);
      expect(text).not.toMatch(/y…/);
    }
  },
);
