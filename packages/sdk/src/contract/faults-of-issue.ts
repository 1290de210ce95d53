import type * as z from 'zod';
import { type Fault, faultAt } from './fault-at.ts';

type Issue = z.core.$ZodIssue;

/**
 * Returns the message that zod puts into an issue. The message is empty if `fault-sentences.ts` has a sentence for this
 * kind of issue. If a schema has an `error`, zod does not call this function. The issue then has the text of `error`,
 * which is the field's own sentence.
 */
export const issueMessages = ({ code }: { code?: string }): string | undefined =>
  code !== undefined && worded.includes(code) ? noWords : undefined;

const noWords = '';
const worded: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union', 'too_small', 'too_big'];

/** Returns the fault for an issue. The message of the issue comes from {@link issueMessages}, or from its schema. */
export function faultOfIssue(issue: Issue, path: string): Fault {
  const words = issue.message === noWords ? null : issue.message;
  if (issue.code === 'invalid_type') {
    if ('input' in issue && issue.input === undefined) return faultAt(path, 'required', { words });
    return faultAt(path, 'wrong_type', { expected: [issue.expected], words });
  }
  if (issue.code === 'invalid_value') {
    return faultAt(path, 'not_a_choice', { choices: issue.values.map(String), words });
  }
  if (issue.code === 'invalid_union') return faultOfUnion(issue, path, words);
  if (issue.code === 'too_small') {
    return faultAt(path, 'too_small', { of: measured(issue.origin), limit: issue.minimum, words });
  }
  if (issue.code === 'too_big') {
    return faultAt(path, 'too_big', { of: measured(issue.origin), limit: issue.maximum, words });
  }
  return faultAt(path, 'bad_format', { words: issue.message });
}

function faultOfUnion(issue: Issue & { code: 'invalid_union' }, path: string, words: string | null): Fault {
  if (words !== null) return faultAt(path, 'bad_format', { words });
  if (issue.discriminator) return faultAt(path, 'not_a_choice', { choices: discriminatorValues(issue), words });
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []));
  // `firsts` has the first issue of each option of the union. If the issue of an option has a path, the value has the
  // type of this option, and only a part of the value is wrong.
  const within = firsts.find((first) => first.path.length > 0);
  if (within) return faultOfIssue(within, [...(path === '' ? [] : [path]), ...within.path.map(String)].join('.'));
  const options = firsts.map((first) => faultOfIssue(first, path));
  const expected = options.flatMap((option) => (option.code === 'wrong_type' ? option.params.expected : []));
  if (expected.length < options.length)
    return faultAt(path, 'bad_format', { words: options.map(({ message }) => message).join(', or ') });
  return faultAt(path, 'wrong_type', { expected, words });
}

const discriminatorValues = (issue: Issue): string[] =>
  'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];

const measured = (origin: string) => (origin === 'string' ? 'characters' : origin === 'array' ? 'entries' : 'value');
