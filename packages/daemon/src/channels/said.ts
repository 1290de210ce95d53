import { createBlot } from '../core/blot.ts';
import { plainLine } from '../core/plain-line.ts';
import { cut } from './cut.ts';

/** Most characters that are kept of a provider's text. */
export const textAtMost = 200;

/** Shortens a provider's text to one line of at most 200 characters, without the secrets. */
export function createSaid(secrets: readonly string[]): { said: (text: string) => string; longest: number } {
  const { blot, longest } = createBlot(secrets);
  const said = (text: string) => cut(plainLine(blot(text)), textAtMost);
  return { said, longest };
}
