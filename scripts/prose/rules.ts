/** A phrase that docs/style.md forbids. */
export interface Rule {
  pattern: RegExp;
  /** The words to write in its place. */
  instead: string;
}

/** Phrases that may not begin a sentence. They may begin a question or a label. */
export const openings: readonly Rule[] = [
  {
    pattern: /^(?:What|Who|Whoever|Whatever|Whose|Whichever)\b/,
    instead: 'begin with the thing or the person that the sentence is about',
  },
  { pattern: /^Of\b(?! course)/, instead: 'begin with the subject: "the wait of …", "one of …"' },
];

/** Rules for every place in a sentence. */
export const phrases: readonly Rule[] = [
  {
    pattern: /; (?:what|who|whoever|whatever|whose|of)\b/,
    instead: 'begin a new sentence with its subject',
  },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b/i, instead: '"does not exist", "has no …" or "without …"' },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b)\w+/i,
    instead: '"is not a …"',
  },
  {
    pattern: /(?<!\b(?:let|leave|leaves|left|leaving|stand|stands)(?: \w+)? )\balone\b/i,
    instead: '"only" before the word',
  },
  { pattern: /\bbut for\b/i, instead: '"except for"' },
  { pattern: /\bby way of\b/i, instead: '"through"' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being|get|gets) told\b/i,
    instead: '"gets an alert", "is notified", "reads" or "receives"',
  },
  { pattern: /\b(?:tell|tells|told|telling) of\b/i, instead: '"reports" or "sends an alert about"' },
  { pattern: /\banswers? (?:with )?(?:an? )?`?\d{3}\b/i, instead: '"returns" before the status code' },
  {
    pattern: /\b(?:somebody|nobody|anybody)\b/i,
    instead: 'name the process or the person; "no one" for people in general',
  },
  {
    pattern: /, for (?:it|they|he|she|there)\b/,
    instead: 'a new sentence, or "because"',
  },
  { pattern: /\bheld against\b/i, instead: '"compared with" or "counted as a failure of"' },
  { pattern: /\bjudges? (?:nobody|nothing)\b/i, instead: '"changes no status"' },
  { pattern: /\bpatience\b/i, instead: '"grace period" or "retry window"' },
  { pattern: /\bwhosoever|whatsoever|whereby|thereof|therein|wherein\b/i, instead: 'plain words' },
];

/** A sentence has at most this many words. Aim at 20. */
export const maxWords = 30;
