import { checkErrorCodes } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { readResultCode, resultCode } from './result-code.ts';

test.each(checkErrorCodes)('readResultCode returns what resultCode encoded for %s', (error) => {
  expect(readResultCode(resultCode(error, null))).toEqual({ error, statusCode: null });
  expect(readResultCode(resultCode(error, 503))).toEqual({ error, statusCode: 503 });
});
