import { expect, test } from 'vitest';
import { isMasked, mask, maskKey } from './mask.ts';

test('a key keeps its prefix and its end', () => {
  expect(maskKey('uptime_0123456789abcdef')).toBe('uptime_…cdef');
  expect(maskKey('another-key-of-16-or-more')).toBe('…more');
});

test('a short key is hidden as a whole, because its end would be a large part of it', () => {
  expect(maskKey('uptime_short')).toBe('…');
  expect(maskKey('')).toBe('…');
});

test('a value counts as masked if the server hid any part of it', () => {
  expect(isMasked(`${mask}1234`)).toBe(true);
  expect(isMasked(`https://ada:${mask}@example.com/`)).toBe(true);
  expect(isMasked('plain')).toBe(false);
  expect(isMasked(null)).toBe(false);
  expect(isMasked({ url: mask })).toBe(false);
});
