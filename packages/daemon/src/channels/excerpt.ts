import { createRedactor } from '../core/redactor.ts';
import { plainLine } from '../core/plain-line.ts';
import { cut } from './cut.ts';

/** Maximum number of characters of a provider's text that are kept. */
export const maxExcerptCharacters = 200;

/**
 * Returns `excerpt`, which masks the secrets in a provider's text and shortens it to one line of at most 200
 * characters. `longest` is the length of the longest secret in its longest encoding.
 */
export function createExcerpt(secrets: readonly string[]): { excerpt: (text: string) => string; longest: number } {
  const { redact, longest } = createRedactor(secrets);
  const excerpt = (text: string) => cut(plainLine(redact(text)), maxExcerptCharacters);
  return { excerpt, longest };
}
