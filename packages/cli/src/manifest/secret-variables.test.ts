import { expect, test } from 'vitest';
import { createSecretVariables } from './secret-variables.ts';

test('a name holds the key or the name of the resource, and the field, in capitals', () => {
  const { nameFor, names } = createSecretVariables();
  expect(nameFor({ key: 'shop', name: 'The shop' }, 'password', 'a')).toBe('SHOP_PASSWORD');
  expect(nameFor({ key: null, name: 'Große Läden!' }, 'webhookUrl', 'b')).toBe('GROSSE_L_DEN_WEBHOOK_URL');
  expect(nameFor({ name: 'shop' }, 'headers.X-Api-Key', 'c')).toBe('SHOP_HEADERS_X_API_KEY');
  expect(names()).toEqual(['SHOP_PASSWORD', 'GROSSE_L_DEN_WEBHOOK_URL', 'SHOP_HEADERS_X_API_KEY']);
});

test('equal secrets share a variable, and different ones never do', () => {
  const { nameFor, names } = createSecretVariables();
  expect(nameFor({ name: 'a b' }, 'url', 'same')).toBe('A_B_URL');
  expect(nameFor({ name: 'other' }, 'url', 'same')).toBe('A_B_URL');
  expect(nameFor({ name: 'a-b' }, 'url', 'another')).toBe('A_B_URL_2');
  expect(nameFor({ name: 'A B' }, 'url', 'third')).toBe('A_B_URL_3');
  expect(names()).toEqual(['A_B_URL', 'A_B_URL_2', 'A_B_URL_3']);
});

test('a name never begins with a digit, as no shell could set it', () => {
  const { nameFor } = createSecretVariables();
  expect(nameFor({ name: '24 h' }, 'url', 'x')).toBe('_24_H_URL');
  expect(nameFor({ name: '!!!' }, 'url', 'y')).toBe('URL');
});
