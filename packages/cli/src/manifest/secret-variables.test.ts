import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobCredentials } from './job-credentials.ts';
import { createSecretVariables } from './secret-variables.ts';

test('the name of a variable consists of the key or name of the resource and the field, in capitals', () => {
  const { nameFor, names } = createSecretVariables();
  expect(nameFor({ key: 'shop', name: 'The shop' }, 'password', 'a')).toBe('SHOP_PASSWORD');
  expect(nameFor({ key: null, name: 'Große Läden!' }, 'webhookUrl', 'b')).toBe('GROSSE_L_DEN_WEBHOOK_URL');
  expect(nameFor({ name: 'shop' }, 'headers.X-Api-Key', 'c')).toBe('SHOP_HEADERS_X_API_KEY');
  expect(names()).toEqual(['SHOP_PASSWORD', 'GROSSE_L_DEN_WEBHOOK_URL', 'SHOP_HEADERS_X_API_KEY']);
});

test('equal secrets get the same variable, and different secrets get different variables', () => {
  const { nameFor, names } = createSecretVariables();
  expect(nameFor({ name: 'a b' }, 'url', 'same')).toBe('A_B_URL');
  expect(nameFor({ name: 'other' }, 'url', 'same')).toBe('A_B_URL');
  expect(nameFor({ name: 'a-b' }, 'url', 'another')).toBe('A_B_URL_2');
  expect(nameFor({ name: 'A B' }, 'url', 'third')).toBe('A_B_URL_3');
  expect(names()).toEqual(['A_B_URL', 'A_B_URL_2', 'A_B_URL_3']);
});

test('the name of a variable never begins with a digit, because a shell could not set such a variable', () => {
  const { nameFor } = createSecretVariables();
  expect(nameFor({ name: '24 h' }, 'url', 'x')).toBe('_24_H_URL');
  expect(nameFor({ name: '!!!' }, 'url', 'y')).toBe('URL');
});

test.each([
  ['Uptime', 'apiKey', 'UPTIME_API_KEY_2'],
  ['GitHub', 'token', 'GITHUB_TOKEN_2'],
  ['CI', 'jobToken', 'CI_JOB_TOKEN_2'],
])('the secret of a resource with the name %s gets a variable that manifests may read', (name, field, variable) => {
  expect(createSecretVariables().nameFor({ name }, field, 'x')).toBe(variable);
});

test('the names of variables are valid in a shell, differ for different secrets, and differ from names in use', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('a', 'A', 'uptime', 'github', '1'),
  );
  const field = fc.constantFrom('apiKey', 'token', 'url', 'headers.X-Token', 'password');
  const secrets = fc.array(fc.tuple(word, field, fc.constantFrom('s1', 's2', 's3', 's4')), { maxLength: 10 });
  fc.assert(
    fc.property(secrets, fc.subarray(['A_URL', 'A_TOKEN', 'URL', 'TOKEN_2']), (all, used) => {
      const { nameFor, names } = createSecretVariables(new Set(used));
      const byName = new Map<string, string>();
      for (const [name, path, secret] of all) {
        const variable = nameFor({ name }, path, secret);
        expect(variable).toMatch(/^[A-Z_][A-Z0-9_]*$/);
        expect([...used, ...jobCredentials]).not.toContain(variable);
        expect(byName.get(variable) ?? secret).toBe(secret);
        byName.set(variable, secret);
      }
      expect(names().toSorted()).toEqual([...byName.keys()].toSorted());
      expect(new Set(byName.values()).size).toBe(byName.size);
    }),
  );
});
