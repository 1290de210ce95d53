import { expect, it } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

it.each([
  ['5', 5000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['', null],
  [undefined, null],
  [['5', '6'], null],
])('a `Retry-After` header with the value %j means a wait of %j ms', (header, waitMs) => {
  expect(readRetryAfterMs(header, now)).toBe(waitMs);
});
