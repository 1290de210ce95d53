import { type CheckErrorCode, checkErrorCodes, checkErrorNumbers } from '@uptime/sdk/contract';

/**
 * Verdict, error and status code of a result in one small integer. 0 is a pass without a status code, 1 a pass with
 * 200. SQLite stores these two numbers in no bytes. Any other result is status code × 64 + error. For `error`, a pass
 * counts as 0, and a failure as its number in the contract plus 2.
 */
export function resultCode(error: CheckErrorCode | null, statusCode: number | null): number {
  if (error === null && statusCode === 200) return 1;
  return (statusCode ?? 0) * 64 + (error === null ? 0 : checkErrorNumbers[error] + 2);
}

const codesByNumber = new Map(checkErrorCodes.map((code) => [checkErrorNumbers[code], code]));

/** The reverse of `resultCode`. */
export function readResultCode(code: number): { error: CheckErrorCode | null; statusCode: number | null } {
  if (code === 1) return { error: null, statusCode: 200 };
  const error = code % 64;
  const statusCode = Math.floor(code / 64);
  return { error: codesByNumber.get(error - 2) ?? null, statusCode: statusCode === 0 ? null : statusCode };
}
