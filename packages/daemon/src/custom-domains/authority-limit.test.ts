import { expect, test } from 'vitest';
import { boundedRetryAfterMs, limitIn } from './authority-limit.ts';

const now = Date.UTC(2026, 0, 1);
const limited = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many new orders' };

test.each([
  ['120', 120_000],
  ['0', 0],
  ['99999999999999', 30 * 86_400_000],
  ['Fri, 01 Jan 9999 00:00:00 GMT', 30 * 86_400_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  [undefined, null],
])('boundedRetryAfterMs reads the header %s as %s ms', (header, ms) => {
  expect(boundedRetryAfterMs(header, now)).toBe(ms);
});

test.each([
  ['429 with a time', { status: 429, data: limited, headers: { 'retry-after': '7200' } }, 7_200_000],
  ['429 without a time', { status: 429, data: '', headers: {} }, 3_600_000],
  ['a rateLimited problem of another status', { status: 400, data: limited, headers: {} }, 3_600_000],
  ['503 with a time', { status: 503, data: '', headers: { 'retry-after': '60' } }, 60_000],
])('limitIn returns a limit for the answer %s', (_, answer, waitMs) => {
  expect(limitIn(answer, now)).toMatchObject({ waitMs });
});

test.each([
  ['a plain 503', { status: 503, data: '', headers: {} }],
  ['another problem', { status: 403, data: { type: 'urn:ietf:params:acme:error:unauthorized' }, headers: {} }],
  ['a success with a time to poll again', { status: 200, data: {}, headers: { 'retry-after': '5' } }],
])('limitIn returns null for the answer %s', (_, answer) => {
  expect(limitIn(answer, now)).toBeNull();
});

test("the message of a limit is the authority's message", () => {
  expect(limitIn({ status: 429, data: limited, headers: {} }, now)?.message).toBe('too many new orders');
});
