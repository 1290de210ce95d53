import type * as z from 'zod';
import { type Fault, faultAt } from './fault-at.ts';

type Issue = z.core.$ZodIssue;

/**
 * Returns the message of an issue whose schema has no `error`. The message is empty, because `fault-sentences.ts` has
 * the sentence. If a schema has an `error`, zod uses it as the message; it names the format of the field.
 */
export const issueMessages = (): string => noFormat;

const noFormat = '';

/** Returns the fault for an issue. The message of the issue comes from {@link issueMessages}, or from its schema. */
export function faultOfIssue(issue: Issue, path: string): Fault {
  const format = formatOf(issue);
  if (issue.code === 'invalid_type') {
    if ('input' in issue && issue.input === undefined) return faultAt(path, 'required', { format });
    return faultAt(path, 'wrong_type', { expected: [issue.expected], format });
  }
  if (issue.code === 'invalid_value') {
    return faultAt(path, 'not_a_choice', { choices: issue.values.map(String), types: [], format });
  }
  if (issue.code === 'invalid_union') return faultOfUnion(issue, path, format);
  if (issue.code === 'too_small') {
    return faultAt(path, 'too_small', { of: measured(issue.origin), limit: issue.minimum, format });
  }
  if (issue.code === 'too_big') {
    return faultAt(path, 'too_big', { of: measured(issue.origin), limit: issue.maximum, format });
  }
  return faultAt(path, 'bad_format', { format: format ?? 'a value in the expected format' });
}

/** Returns the `error` of the issue's schema; null if the schema has none. */
export const formatOf = ({ message }: Issue): string | null => (message === noFormat ? null : message);

function faultOfUnion(issue: Issue & { code: 'invalid_union' }, path: string, format: string | null): Fault {
  if (format !== null) return faultAt(path, 'bad_format', { format });
  if (issue.discriminator)
    return faultAt(path, 'not_a_choice', { choices: discriminatorValues(issue), types: [], format });
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []));
  // `firsts` has the first issue of each option of the union. If the issue of an option has a path, the value has the
  // type of this option, and only a part of the value is wrong.
  const within = firsts.find((first) => first.path.length > 0);
  if (within) return faultOfIssue(within, [...(path === '' ? [] : [path]), ...within.path.map(String)].join('.'));
  const options = firsts.map((first) => faultOfIssue(first, path));
  const types = options.flatMap((option) => (option.code === 'wrong_type' ? option.params.expected : []));
  const choices = options.flatMap((option) => (option.code === 'not_a_choice' ? option.params.choices : []));
  // `other` exists if the value is missing, or if an option accepts the type of the value and refuses the value for
  // another reason. Then only this fault is reported.
  const other = options.find(({ code }) => code !== 'wrong_type' && code !== 'not_a_choice');
  if (other) return other;
  return choices.length > 0
    ? faultAt(path, 'not_a_choice', { choices, types, format })
    : faultAt(path, 'wrong_type', { expected: types, format });
}

const discriminatorValues = (issue: Issue): string[] =>
  'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];

const measured = (origin: string) => (origin === 'string' ? 'characters' : origin === 'array' ? 'entries' : 'value');
