import { describe, expect, test } from 'vitest';
import { canonical, fingerprintOf, type Fingerprint, type ResourcePrint } from './fingerprint.ts';
import { StalePlan } from './stale-plan.ts';
import { whatMoved } from './what-moved.ts';

const shop: ResourcePrint = {
  kind: 'monitor',
  id: 'mon_1',
  key: 'shop',
  name: 'Shop',
  fields: { name: '1', url: '2' },
};
const ops: ResourcePrint = {
  kind: 'channel',
  id: 'chn_1',
  key: null,
  name: 'Ops',
  fields: { config: '1', configDigest: '2' },
};
const base: Fingerprint = { files: { 'a.yaml': '1' }, variables: { A: '1', B: null }, resources: [shop, ops] };
const moved = (now: Partial<Fingerprint>) => whatMoved(base, { ...base, ...now });

test.each<[string, Partial<Fingerprint>, string[]]>([
  ['nothing', {}, []],
  ['the order of resources', { resources: [ops, shop] }, []],
  ['a file', { files: { 'a.yaml': '2' } }, ['a.yaml has changed']],
  [
    'a file that was removed and a file that was added',
    { files: { 'b.yaml': '1' } },
    ['a.yaml is not part of the manifest any more', 'b.yaml is new in the manifest'],
  ],
  [
    'a file with a control character in its name',
    { files: { 'a.yaml': '1', 'b\u001b[2J': '1' } },
    ['b is new in the manifest'],
  ],
  ['a variable', { variables: { A: '2', B: null } }, ['the environment variable A has another value']],
  [
    'a variable that is not set any more',
    { variables: { A: null, B: null } },
    ['the environment variable A is not set any more'],
  ],
  ['a variable that is set now', { variables: { A: '1', B: '1' } }, ['the environment variable B was not set before']],
  [
    'a variable that the manifest does not name any more',
    { variables: { B: null } },
    ['the environment variable A is not set any more'],
  ],
  ['a resource that was deleted', { resources: [ops] }, ['on the server, monitor "Shop" (shop) was deleted']],
  [
    'a resource that was created',
    { resources: [shop, ops, { ...shop, id: 'mon_2', key: null }] },
    ['on the server, monitor "Shop" was created'],
  ],
  [
    'a resource that was deleted and created again',
    { resources: [{ ...shop, id: 'mon_2' }, ops] },
    ['on the server, monitor "Shop" (shop) was deleted', 'on the server, monitor "Shop" (shop) was created'],
  ],
  [
    'a field',
    { resources: [{ ...shop, fields: { name: '1', url: '3' } }, ops] },
    ['on the server, monitor "Shop" (shop) was changed: url'],
  ],
  [
    'a field that was added and a field that was removed',
    { resources: [{ ...shop, fields: { name: '1', labels: '1' } }, ops] },
    ['on the server, monitor "Shop" (shop) was changed: url, labels'],
  ],
  [
    'a secret, which only the digest shows',
    { resources: [shop, { ...ops, fields: { config: '1', configDigest: '3' } }] },
    ['on the server, channel "Ops" was changed: config'],
  ],
  [
    'a secret and the visible part of it',
    { resources: [shop, { ...ops, fields: { config: '2', configDigest: '3' } }] },
    ['on the server, channel "Ops" was changed: config'],
  ],
])('whatMoved returns the right sentences about a change of %s', (_, now, expected) => {
  expect(moved(now)).toEqual(expected);
});

test('the error for a stale plan lists twenty changes, and says how many further changes there are', () => {
  const lines = Array.from({ length: 25 }, (_, i) => `m${i} has changed`);
  const { message, exit, moved: all } = new StalePlan(lines);
  expect(exit).toBe('stale');
  expect(all).toHaveLength(25);
  expect(message.split('\n')).toHaveLength(22);
  expect(message).toMatch(/\n {2}m19 has changed\n {2}and 5 more$/);
});

describe('a fingerprint', () => {
  const of = (env: Record<string, string>, salt = 's') =>
    fingerprintOf(
      { sources: [{ name: 'm.yaml', text: 'x' }], variables: new Set(['A', 'B']), remotes: new Map() },
      env,
      salt,
    );

  test('a fingerprint contains no values, and differs for another salt', async () => {
    const { files, variables } = await of({ A: 'hush' });
    expect(JSON.stringify({ files, variables })).not.toContain('hush');
    expect(variables['B']).toBeNull();
    const other = await of({ A: 'hush' }, 't');
    expect(other.files['m.yaml']).not.toBe(files['m.yaml']);
    expect(other.variables['A']).not.toBe(variables['A']);
    expect(await of({ A: 'hush' })).toEqual({ files, variables, resources: [] });
  });

  test('a fingerprint has different digests for variables with equal values, and for an empty variable and a missing variable', async () => {
    const { variables } = await of({ A: 'x', B: 'x' });
    expect(variables['A']).not.toBe(variables['B']);
    expect((await of({ A: '' })).variables['A']).not.toBeNull();
  });

  test.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: undefined }, {}, true],
    [null, undefined, true],
    ['1', 1, false],
    [{ a: null }, {}, false],
  ])('a fingerprint treats %j and %j as equal: %s', (a, b, same) => {
    expect(canonical(a) === canonical(b)).toBe(same);
  });
});
