import { createRedactor } from '../core/redactor.ts';
import { plainLine } from '../core/plain-line.ts';
import { cut } from './cut.ts';

/** Maximum number of characters of a provider's text that are kept. */
export const textAtMost = 200;

/** Shortens a provider's text to one line of at most 200 characters, without the secrets. */
export function createExcerpt(secrets: readonly string[]): { excerpt: (text: string) => string; longest: number } {
  const { redact, longest } = createRedactor(secrets);
  const excerpt = (text: string) => cut(plainLine(redact(text)), textAtMost);
  return { excerpt, longest };
}
