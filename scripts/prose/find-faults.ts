import type { Passage } from './passage.ts';
import { maxWords, openings, phrases } from './rules.ts';

/** A phrase or sentence that docs/style.md forbids. */
export interface Fault {
  line: number;
  /** The words that are wrong, or the beginning of a sentence that is too long. */
  phrase: string;
  instead: string;
}

/** Returns everything in a passage that docs/style.md forbids, in order. */
export function findFaults(passage: Passage): Fault[] {
  const found: (Fault & { at: number })[] = [];
  for (const { at: start, text } of sentencesOf(passage.text)) {
    const add = (offset: number, length: number, instead: string, rest = '') => {
      const at = start + offset;
      const phrase = passage.written.slice(at, at + length) + rest;
      found.push({ at, line: passage.lineAt(at), phrase, instead });
    };
    const rules = passage.label || text.includes('?') ? phrases : [...openings, ...phrases];
    for (const { pattern, instead } of rules) {
      for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
        add(match.index, match[0].length, instead);
      }
    }
    const words = wordsOf(text).length;
    if (words > maxWords) add(0, 40, `at most ${maxWords} words; this sentence has ${words}`, ' …');
  }
  return found
    .toSorted((left, right) => left.at - right.at)
    .map(({ line, phrase, instead }) => ({ line, phrase, instead }));
}

/**
 * Returns the sentences of a text, each with its offset. A sentence ends at a full stop if a capital letter or code
 * follows. A sentence also ends at "·", and before a marker such as "(1)" or "(a)".
 */
export function sentencesOf(text: string): { at: number; text: string }[] {
  const ends = [
    ...text.matchAll(/(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["')\]*]*\s+(?=["'([*]*[A-Z`])| · |\s+(?=\((?:\d|[a-e])\) )/g),
  ];
  const starts = [0, ...ends.map((end) => end.index + end[0].length)];
  return starts.flatMap((start, index) => {
    const sentence = text.slice(start, starts[index + 1]);
    const trimmed = sentence.trim();
    return trimmed === '' ? [] : [{ at: start + sentence.indexOf(trimmed), text: trimmed }];
  });
}

/** Returns the words of a sentence. A list of names in code is one word. */
function wordsOf(sentence: string): string[] {
  return sentence
    .replaceAll(/`x*`(?:(?:,? (?:and|or) |, | · | )`x*`)+/g, '`x`')
    .split(/[\s—–/]+/)
    .filter((word) => /[\p{L}\p{N}`]/u.test(word));
}
