import { checkErrorCodes } from '@uptime/sdk/contract';
import { expect } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';

/**
 * Expects an error if the check did not pass, and otherwise no error. The error must have a known code, and a message
 * of one line without internals such as stack traces.
 */
export function expectWellFormed(outcome: CheckOutcome): void {
  expect(['up', 'down', 'internal']).toContain(outcome.verdict);
  expect(outcome.error === null).toBe(outcome.verdict === 'up');
  if (!outcome.error) return;
  expect(checkErrorCodes).toContain(outcome.error.code);
  expect(outcome.error.code === 'internal').toBe(outcome.verdict === 'internal');
  expect(outcome.error.message).toMatch(/^[^\p{Cc}]{1,300}$/u);
  expect(outcome.error.message).not.toMatch(/0x[0-9a-f]{6}|[0-9A-F]{12,}|\n|node:internal|\bat [\w.<>]+ \(/);
}
