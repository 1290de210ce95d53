import { type CheckErrorCode, checkErrorCodes, checkErrorNumbers } from '@uptime/sdk/contract';

/**
 * Returns one small integer for the verdict, error and status code of a result. The integer is 0 for a passed check
 * without a status code, and 1 for a passed check with the status code 200. SQLite needs no byte for the numbers 0 and
 * 1. Any other result is status code × 64 + error. Here, error is 0 for a passed check. For a failed check, it is the
 * number of the error in the contract plus 2.
 */
export function resultCode(error: CheckErrorCode | null, statusCode: number | null): number {
  if (error === null && statusCode === 200) return 1;
  return (statusCode ?? 0) * 64 + (error === null ? 0 : checkErrorNumbers[error] + 2);
}

const codesByNumber = new Map(checkErrorCodes.map((code) => [checkErrorNumbers[code], code]));

/** Returns the error and the status code that `resultCode` encoded. */
export function readResultCode(code: number): { error: CheckErrorCode | null; statusCode: number | null } {
  if (code === 1) return { error: null, statusCode: 200 };
  const error = code % 64;
  const statusCode = Math.floor(code / 64);
  return { error: codesByNumber.get(error - 2) ?? null, statusCode: statusCode === 0 ? null : statusCode };
}
