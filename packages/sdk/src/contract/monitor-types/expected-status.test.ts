import { expect, test } from 'vitest';
import { validateMonitor } from '../index.ts';

/** The faults of a monitor that expects these codes, as `path code`. */
const faultsOf = (expectedStatus: unknown) => {
  const parsed = validateMonitor({ type: 'http', name: 'Shop', url: 'http://shop/', expectedStatus });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

test.each([
  [100],
  [599],
  ['200'],
  ['2xx'],
  ['2XX'],
  ['100-599'],
  ['204-204'],
  [' 200 '],
  ['200,301'],
  ['200-299 , 3xx,404'],
  [[200]],
  [['2xx', 404, '500-503']],
  [Array.from({ length: 50 }, (_, n) => 200 + n)],
])('the expected status %j is accepted', (expected) => expect(faultsOf(expected)).toEqual([]));

test.each([
  [200.5],
  [true],
  [null],
  [{}],
  [''],
  ['0xx'],
  ['6xx'],
  ['2x'],
  ['600'],
  ['99-200'],
  ['200-'],
  ['-200'],
  ['2xx-3xx'],
  [',200'],
  ['200,,201'],
  ['200;201'],
  ['ok'],
  [[[200]]],
  [Array.from({ length: 51 }, () => 200)],
])('the expected status %j is refused', (expected) =>
  expect(faultsOf(expected)).toEqual(['expectedStatus bad_format']),
);

test.each([
  [99, 'expectedStatus too_small'],
  [600, 'expectedStatus too_big'],
  [[], 'expectedStatus too_small'],
  [['2xx', 'ok'], 'expectedStatus.1 bad_format'],
  [[200, 600], 'expectedStatus.1 too_big'],
])('the expected status %j has the fault %s', (expected, fault) => expect(faultsOf(expected)).toEqual([fault]));

test.each([
  ['299-200', ['expectedStatus backward_range']],
  ['200, 299-200', ['expectedStatus backward_range']],
  ['299-200,399-300', ['expectedStatus backward_range', 'expectedStatus backward_range']],
  [[200, '299-200'], ['expectedStatus.1 backward_range']],
  [['2xx', '3xx,499-400'], ['expectedStatus.1 backward_range']],
])('the expected status %j has a range that ends below its start', (expected, faults) =>
  expect(faultsOf(expected)).toEqual(faults),
);

test('the fault of a range shows its start and its end', () => {
  const parsed = validateMonitor({ type: 'http', name: 'Shop', url: 'http://shop/', expectedStatus: '2xx,299-200' });
  expect(parsed.ok ? [] : parsed.faults).toMatchObject([
    { params: { low: 299, high: 200 }, message: 'must be a range from low to high, not 299-200' },
  ]);
});

test('validation returns the expected status exactly as it was written', () => {
  const parsed = validateMonitor({ type: 'http', name: 'Shop', url: 'http://shop/', expectedStatus: ' 200, 3XX ' });
  expect(parsed).toMatchObject({ ok: true, value: { expectedStatus: ' 200, 3XX ' } });
});
