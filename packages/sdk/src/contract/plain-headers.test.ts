import { expect, test } from 'vitest';
import { includesScope, keyScopes } from './key-scopes.ts';
import { isPlainHeader } from './plain-headers.ts';

test.each<[string, boolean]>([
  ['Accept', true],
  ['content-TYPE', true],
  ['User-Agent', true],
  ['Host', true],
  ['Authorization', false],
  ['Proxy-Authorization', false],
  ['Cookie', false],
  ['X-Api-Key', false],
  ['X-Anything', false],
  ['Accept ', false],
  ['', false],
  ['constructor', false],
])('the value of the header %j may be shown: %s', (name, plain) => {
  expect(isPlainHeader(name)).toBe(plain);
});

test('each scope of keys includes only itself and the scopes before it', () => {
  const table = keyScopes.map((has) => keyScopes.filter((needed) => includesScope(has, needed)));
  expect(table).toEqual([['ping'], ['ping', 'read'], ['ping', 'read', 'apply'], [...keyScopes]]);
});
