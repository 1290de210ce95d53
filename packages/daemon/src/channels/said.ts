import { createBlot } from '../core/blot.ts';
import { cut } from './cut.ts';

/** Characters of what a provider said that are told on. */
export const textAtMost = 200;

/** What a provider said, as it is told on: one line of at most 200 characters, without the secrets. */
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
