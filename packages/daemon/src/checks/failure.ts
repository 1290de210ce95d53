import type { CheckErrorCode } from '@uptime/sdk/contract';
import { plainLine } from '../core/plain-line.ts';
import type { Interruption } from './deadline.ts';

/** A check's failure with its code. The phases of a check throw it, and `checks/run` turns it into the outcome. */
export class CheckFailure extends Error {
  readonly code: CheckErrorCode;

  constructor(code: CheckErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CheckFailure';
    this.code = code;
  }
}

/**
 * Returns the failure of a phase that was interrupted. After a timeout, the failure has the given `code` and `message`.
 * After any other interruption, it is a checker fault.
 */
export function interrupted(why: Interruption, code: CheckErrorCode, message: string): CheckFailure {
  if (why === 'stalled') return new CheckFailure('internal', 'the checker itself stalled during the check');
  if (why === 'aborted') return new CheckFailure('internal', 'the check was abandoned');
  return new CheckFailure(code, message);
}

/** Turns text from a target or a library into one well-formed line of at most 300 characters: see `plainLine`. */
export function oneLine(text: string): string {
  const line = plainLine(text);
  return line.length <= 300 ? line : `${line.slice(0, 299).toWellFormed()}…`;
}

/** The `code` of a Node error, or an empty string. */
export const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};
