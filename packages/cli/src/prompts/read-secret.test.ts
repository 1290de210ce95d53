import { describe, expect, test } from 'vitest';
import type { FieldFlag } from '../flags/field-flags.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { confirm } from './confirm.ts';
import { readSecret } from './read-secret.ts';
import { readSecrets } from './read-secrets.ts';

const secret = (given: string | undefined, stdin = '') =>
  readSecret({ given, question: 'Key?', what: 'key' }, recordedContext({ stdin }).context);

test.each<[string, string | undefined, string, string]>([
  ['from the command line', 'abc', '', 'abc'],
  ['from standard input, without its last line break', '-', 'abc\n', 'abc'],
  ['from standard input, with its spaces', '-', ' abc \n', ' abc '],
  ['from standard input, with several lines', '-', 'a\nb\n\n', 'a\nb\n'],
])('a secret is read %s', async (_, given, stdin, expected) => {
  expect(await secret(given, stdin)).toBe(expected);
});

test.each<[string, string | undefined, string, string]>([
  ['an empty standard input', '-', '', 'no key was read from standard input'],
  ['blank lines', '-', ' \n\n', 'no key was read from standard input'],
  ['nothing, without a terminal', undefined, '', 'no key was given, and there is no terminal to ask on'],
  ['an empty text, without a terminal', '', '', 'no key was given, and there is no terminal to ask on'],
])('readSecret throws an error for %s', async (_, given, stdin, message) => {
  await expect(secret(given, stdin)).rejects.toMatchObject({ message, exit: 'usage' });
});

describe('a secret field', () => {
  const flags: FieldFlag[] = [
    { field: 'config.token', flag: '--token <text>', kind: 'text', about: 'a token', secret: true },
    { field: 'config.key', flag: '--key <text>', kind: 'text', about: 'a key', secret: true },
    { field: 'name', flag: '--name <text>', kind: 'text', about: 'a name' },
  ];
  const read = (fields: Record<string, unknown>, stdin = 'hush\n') =>
    readSecrets(fields, flags, recordedContext({ stdin }).context.io);

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'given as - is read from standard input',
      { name: 'a', config: { token: '-', size: 5 } },
      { name: 'a', config: { token: 'hush', size: 5 } },
    ],
    ['with a value is unchanged', { config: { token: 'x' } }, { config: { token: 'x' } }],
    ['that is not given is left out', { name: 'a' }, { name: 'a' }],
    ['is the only kind of field in which - stands for standard input', { name: '-' }, { name: '-' }],
  ])('a secret field %s', async (_, fields, expected) => {
    expect(await read(fields)).toEqual(expected);
  });

  test('a secret field may be given as - only once, and the input must not be empty', async () => {
    await expect(read({ config: { token: '-', key: '-' } })).rejects.toThrow(
      '--token and --key: standard input can hold only one secret',
    );
    await expect(read({ config: { key: '-' } }, '\n')).rejects.toThrow('no --key was read from standard input');
  });
});

test.each<[string, { yes: boolean; taken?: boolean }, boolean]>([
  ['with --yes', { yes: true }, true],
  ['without a terminal', { yes: false }, false],
  ['while standard input holds data', { yes: false, taken: true }, false],
])('%s (%j), confirm lets the command continue: %s', async (_, options, goesOn) => {
  const answer = confirm({ message: 'Sure?', next: 'add --yes', ...options }, recordedContext().context);
  if (goesOn) expect(await answer).toBeUndefined();
  else
    await expect(answer).rejects.toMatchObject({
      message: 'there is no terminal to ask on; nothing was changed',
      exit: 'usage',
      next: 'add --yes',
    });
});
