import { createBlot } from '../core/blot.ts';
import { cut } from './cut.ts';

/** Most characters that are kept of a provider's text. */
export const textAtMost = 200;

/** Shortens a provider's text to one line of at most 200 characters, without the secrets. */
export function createSaid(secrets: readonly string[]): { said: (text: string) => string; longest: number } {
  const { blot, longest } = createBlot(secrets);
  const said = (text: string) =>
    cut(
      blot(text)
        .toWellFormed()
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
      textAtMost,
    );
  return { said, longest };
}
