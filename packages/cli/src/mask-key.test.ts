import { expect, test } from 'vitest';
import { maskKey } from './mask-key.ts';

test('maskKey keeps the prefix and the end of a key', () => {
  expect(maskKey('uptime_0123456789abcdef')).toBe('uptime_…cdef');
  expect(maskKey('another-key-of-16-or-more')).toBe('…more');
});

test('maskKey hides a short key completely, because its last characters would be a large part of the key', () => {
  expect(maskKey('uptime_short')).toBe('…');
  expect(maskKey('')).toBe('…');
});
