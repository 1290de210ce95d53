import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeExpected,
  type ExpectedStatus,
  namesRedirect,
  parseExpectedStatus,
  statusMatches,
} from './expected-status.ts';

test.each([
  [200, [200], [201]],
  ['200', [200], [201]],
  ['2xx', [200, 299], [199, 300]],
  ['2XX', [204], [300]],
  ['200-299', [200, 299], [199, 300]],
  [' 200 , 204,3xx', [200, 204, 304], [201, 400]],
  [
    ['200', 404, '5xx'],
    [200, 404, 503],
    [201, 403],
  ],
  ['200-299', [250], [99, 0, Number.NaN]],
] satisfies [ExpectedStatus, number[], number[]][])(
  'the expected status %j allows the status codes %j, but not %j',
  (expected, taken, refused) => {
    const ranges = parseExpectedStatus(expected);
    for (const status of taken) expect(statusMatches(ranges, status), String(status)).toBe(true);
    for (const status of refused) expect(statusMatches(ranges, status), String(status)).toBe(false);
  },
);

test('a range accepts exactly the status codes inside the range', () => {
  const code = fc.integer({ min: 100, max: 599 });
  fc.assert(
    fc.property(code, code, code, (a, b, status) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      return statusMatches(parseExpectedStatus(`${low}-${high}`), status) === (status >= low && status <= high);
    }),
  );
});

test.each([
  ['301', true],
  ['3xx', true],
  ['200-399', true],
  ['200,204,302', true],
  ['2xx', false],
  [[200, '4xx'], false],
])('for the expected status %j, namesRedirect returns %s', (expected, names) => {
  expect(namesRedirect(parseExpectedStatus(expected))).toBe(names);
});

test('messages show an expected status as the user wrote it', () => {
  expect(describeExpected([200, '3xx'])).toBe('200, 3xx');
});
