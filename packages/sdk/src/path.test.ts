import { expect, test } from 'vitest';
import { UptimeError } from './index.ts';
import { path } from './path.ts';

test.each([
  ['mon_1', '/monitors/mon_1/check'],
  [7, '/monitors/7/check'],
  [0, '/monitors/0/check'],
  ['a/b', '/monitors/a%2Fb/check'],
  ['a?b#c', '/monitors/a%3Fb%23c/check'],
  ['50%', '/monitors/50%25/check'],
  ['a b+c', '/monitors/a%20b%2Bc/check'],
  ['Käse', '/monitors/K%C3%A4se/check'],
  ['...', '/monitors/.../check'],
  ['.hidden', '/monitors/.hidden/check'],
])('the id %j gives the path %s', (id, expected) => expect(path`/monitors/${id}/check`).toBe(expected));

test('a path may contain several ids, or no id', () => {
  expect(path`/projects/${'a/b'}/keys/${'c/d'}`).toBe('/projects/a%2Fb/keys/c%2Fd');
  expect(path`/projects`).toBe('/projects');
});

test.each(['', '.', '..', undefined as never, null as never])('the id %j makes `path` throw', (id) => {
  expect(() => path`/monitors/${id}`).toThrow(new UptimeError('An id is missing.'));
});
