import { expect, test } from 'vitest';
import { envReference, hasReference, readReferences, replaceReferences, withoutMarks } from './env-reference.ts';

const shown = (text: string) => replaceReferences(text, (name) => `<${name}>`);

test.each([
  ['${TOKEN}', '<TOKEN>'],
  ['Bearer ${TOKEN}', 'Bearer <TOKEN>'],
  ['${A}${B}', '<A><B>'],
  ['${_a1}', '<_a1>'],
  ['$TOKEN', '$TOKEN'],
  ['${1A}', '${1A}'],
  ['${A-b}', '${A-b}'],
  ['${}', '${}'],
  ['5 $', '5 $'],
])('the text %s is read as %s', (text, expected) => expect(shown(readReferences(text))).toBe(expected));

test.each([
  ['$TOKEN', '<TOKEN>'],
  ['a$TOKEN/b', 'a<TOKEN>/b'],
  ['${TOKEN}$OTHER', '<TOKEN><OTHER>'],
  ['$token', '$token'],
  ['costs $5', 'costs $5'],
])('with `bare`, the text %s is read as %s', (text, expected) => {
  expect(shown(readReferences(text, { bare: true }))).toBe(expected);
});

test('hasReference accepts only a complete reference', () => {
  expect(hasReference(envReference('TOKEN'))).toBe(true);
  expect(hasReference(`a ${envReference('TOKEN')} b`)).toBe(true);
  expect(hasReference('${TOKEN}')).toBe(false);
  expect(hasReference('\ue000TOKEN')).toBe(false);
});

test('a file that itself contains the marking characters cannot refer to a variable', () => {
  const hostile = `\ue000HOME\ue001`;
  expect(hasReference(hostile)).toBe(true);
  expect(withoutMarks(hostile)).toBe('HOME');
});
