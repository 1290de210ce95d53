import { expect, test } from 'vitest';
import { maskKey, maskSecret } from './mask-key.ts';

test('maskKey keeps the prefix and the end of a key', () => {
  expect(maskKey('uptime_0123456789abcdef')).toBe('uptime_…cdef');
  expect(maskKey('another-key-of-16-or-more')).toBe('…more');
});

test('maskKey hides a short key completely, because its last characters would be a large part of the key', () => {
  expect(maskKey('uptime_short')).toBe('…');
  expect(maskKey('')).toBe('…');
});

test('maskKey keeps the end of a key from 16 characters on', () => {
  expect(maskKey('uptime_89abcdef')).toBe('…');
  expect(maskKey('uptime_789abcdef')).toBe('uptime_…cdef');
});

test('maskSecret keeps only the end of a secret, also if the secret begins like a key', () => {
  expect(maskSecret('uptime_0123456789abcdef')).toBe('…cdef');
  expect(maskSecret('0123456789abcdef')).toBe('…cdef');
});

test('maskSecret hides a short secret completely', () => {
  expect(maskSecret('0123456789abcde')).toBe('…');
  expect(maskSecret('')).toBe('…');
});
