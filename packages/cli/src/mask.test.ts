import { expect, test } from 'vitest';
import { isMasked, mask, maskKey } from './mask.ts';

test('maskKey keeps the prefix and the end of a key', () => {
  expect(maskKey('uptime_0123456789abcdef')).toBe('uptime_…cdef');
  expect(maskKey('another-key-of-16-or-more')).toBe('…more');
});

test('maskKey hides a short key completely, because its last characters would be a large part of the key', () => {
  expect(maskKey('uptime_short')).toBe('…');
  expect(maskKey('')).toBe('…');
});

test('isMasked returns true if the server hid any part of a value', () => {
  expect(isMasked(`${mask}1234`)).toBe(true);
  expect(isMasked(`https://ada:${mask}@example.com/`)).toBe(true);
  expect(isMasked('plain')).toBe(false);
  expect(isMasked(null)).toBe(false);
  expect(isMasked({ url: mask })).toBe(false);
});
