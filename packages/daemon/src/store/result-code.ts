import { type CheckErrorCode, checkErrorCodes } from '@uptime/sdk/contract';

/**
 * Verdict, error and status code of a result in one small integer. 0 is a pass without a status code, 1 a pass with
 * 200. SQLite stores these two numbers in no bytes. Any other result is status code × 64 + error. An error's number is
 * its place in the contract's list plus 2, and 0 means passed. New codes go to the end of that list.
 */
export function resultCode(error: CheckErrorCode | null, statusCode: number | null): number {
  if (error === null && statusCode === 200) return 1;
  return (statusCode ?? 0) * 64 + (error === null ? 0 : checkErrorCodes.indexOf(error) + 2);
}

/** The reverse of `resultCode`. */
export function readResultCode(code: number): { error: CheckErrorCode | null; statusCode: number | null } {
  if (code === 1) return { error: null, statusCode: 200 };
  const error = code % 64;
  const statusCode = Math.floor(code / 64);
  return { error: error === 0 ? null : checkErrorCodes[error - 2]!, statusCode: statusCode === 0 ? null : statusCode };
}
