import { cut } from './cut.ts';
import type { Words } from './words.ts';

interface Limits {
  /** Maximum number of characters of the whole text; at least 1,000. */
  maxCharacters?: number;
  /** Escapes one character of the text. It is not applied to the link. */
  escape?: (character: string) => string;
}

/** Returns a whole message as plain text, with a line for each of its parts. */
export function plainText(words: Words, { maxCharacters = 2000, escape }: Limits = {}): string {
  const { emoji, title, cause, where, facts, link } = words;
  // Each part has its share of the characters, so that a long part leaves room for the other parts. Most facts are much
  // shorter than their share.
  const share = (part: number) => Math.floor(maxCharacters / part);
  return [
    `${emoji} ${cut(title, share(8), escape)}`,
    cut(cause, share(6), escape),
    ...(where === '' ? [] : [cut(where, share(16), escape)]),
    ...facts.map(({ label, value }) => `${label}: ${cut(value, share(16), escape)}`),
    // A long link is left out, because a shortened address would lead nowhere.
    ...(link.length <= share(4) ? [link] : []),
  ].join('\n');
}
