import { expect, test } from 'vitest';
import { withNewCodes } from './generate-error-numbers.ts';

test('`npm run generate` adds a new error code, and refuses to change the number of a stored code', () => {
  const stored = { timeout: 0, reset: 1 };
  const current = { redis_bad_response: 2, timeout: 0, reset: 1 };
  expect(Object.entries(withNewCodes(stored, current))).toEqual([
    ['timeout', 0],
    ['reset', 1],
    ['redis_bad_response', 2],
  ]);
  expect(() => withNewCodes(stored, { timeout: 0, reset: 2 })).toThrow(
    'The error code reset must keep the number 1, because stored results contain it. The contract has 2.',
  );
  expect(() => withNewCodes(stored, { timeout: 0 })).toThrow('The contract has no such code.');
  expect(() => withNewCodes(stored, { ...stored, redis_bad_response: 40 })).toThrow(
    'The error code redis_bad_response has the number 40. The next free number is 2.',
  );
});
