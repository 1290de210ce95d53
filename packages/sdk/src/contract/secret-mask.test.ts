import { expect, test } from 'vitest';
import { isMasked, maskTail, secretMask } from './secret-mask.ts';

test('isMasked returns true if the server hid any part of a value', () => {
  expect(isMasked(`${secretMask}1234`)).toBe(true);
  expect(isMasked(`https://ada:${secretMask}@example.com/`)).toBe(true);
  expect(isMasked('plain')).toBe(false);
  expect(isMasked(null)).toBe(false);
  expect(isMasked({ url: secretMask })).toBe(false);
});

test('maskTail shows the last four characters of a secret, and none of a secret with fewer than eight characters', () => {
  expect(maskTail('12345678')).toBe('••••5678');
  expect(maskTail('1234567')).toBe('••••');
  expect(maskTail('')).toBe('••••');
});

test('maskTail counts characters, so that it never shows half of one', () => {
  expect(maskTail('🔑🔑🔑🔑')).toBe('••••');
  expect(maskTail('abcd🔑🔑🔑🔑')).toBe('••••🔑🔑🔑🔑');
});

test('isMasked recognizes what maskTail returns', () => {
  for (const secret of ['', '1234567', '12345678']) expect(isMasked(maskTail(secret))).toBe(true);
});
