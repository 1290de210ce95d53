import { expect, test } from 'vitest';
import { holdsSecret, unreadableText, withoutSecret } from './monitor-secrets.ts';

test.each([
  ['credentials', 'https://ada:hush@h.example/?page=2', 'https://h.example/?page=2'],
  ['credentials', 'https://h.example/', 'https://h.example/'],
  ['credentials', null, null],
  ['values', { Authorization: 'hush' }, { Authorization: '' }],
  ['values', {}, {}],
  ['whole', 'hush', null],
  ['whole', 5, null],
  ['whole', null, null],
  ['whole', undefined, undefined],
] as const)('a field in which the part "%s" is secret has %j, and without the secret %j', (part, value, shown) => {
  expect(withoutSecret(part, value)).toEqual(shown);
  expect(holdsSecret(part, value)).toBe(JSON.stringify(shown) !== JSON.stringify(value));
});

test('the message about unreadable secrets names the credentials of an address, and other fields as a whole', () => {
  expect(unreadableText('http', ['url', 'headers', 'body'])).toMatch(
    /^The monitor's URL credentials and headers and body cannot be read/,
  );
});
