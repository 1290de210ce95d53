import { expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Named, Remote } from '../kinds/kind.ts';
import { wantedFrom } from '../manifest/item.ts';
import { match } from './match.ts';

const { monitor, maintenanceWindow } = kinds;
const item = (fields: Partial<Named> & { name: string }) => wantedFrom(monitor, { key: null, type: 'http', ...fields });
const there = (id: string, fields: Omit<Partial<Remote>, 'id'> & { name: string }): Remote => ({
  id,
  key: null,
  type: 'http',
  ...fields,
});

/**
 * Returns the id of the resource that each item matches, in the order of the items. Also returns the ids of unmatched
 * and of ambiguous resources.
 */
const idsOf = (wanted: readonly ReturnType<typeof item>[], remotes: readonly Remote[]) => {
  const { pairs, unmatched, ambiguous } = match(monitor, wanted, remotes);
  return {
    ids: wanted.map((one) => pairs.get(one)?.id ?? null),
    unmatched: unmatched.map(({ id }) => id),
    ambiguous: ambiguous.map(({ candidates }) => candidates.map(({ id }) => id)),
  };
};

test('an item matches a resource with its key rather than a resource with its name', () => {
  const remotes = [there('a', { name: 'Shop' }), there('b', { key: 'shop', name: 'Renamed' })];
  expect(idsOf([item({ key: 'shop', name: 'Shop' })], remotes)).toEqual({
    ids: ['b'],
    unmatched: ['a'],
    ambiguous: [],
  });
});

test('an item with a new key matches a resource that has the name of the item and no key', () => {
  const remotes = [there('a', { name: 'Shop' }), there('b', { key: 'other', name: 'Shop' })];
  expect(idsOf([item({ key: 'shop', name: 'Shop' })], remotes)).toEqual({
    ids: ['a'],
    unmatched: ['b'],
    ambiguous: [],
  });
});

test('an item with a new key never matches a resource that has another key', () => {
  const remotes = [there('b', { key: 'other', name: 'Shop' })];
  expect(idsOf([item({ key: 'shop', name: 'Shop' })], remotes)).toEqual({
    ids: [null],
    unmatched: ['b'],
    ambiguous: [],
  });
});

test('an item without a key matches the resource with its name, even if that resource has a key', () => {
  const remotes = [there('b', { key: 'shop', name: 'Shop' })];
  expect(idsOf([item({ name: 'Shop' })], remotes)).toEqual({ ids: ['b'], unmatched: [], ambiguous: [] });
});

test('if several resources have the same name, as after an interrupted replacement, an item matches the resource of its own type', () => {
  const remotes = [there('old', { name: 'Shop', type: 'ping' }), there('new', { name: 'Shop' })];
  expect(idsOf([item({ name: 'Shop' })], remotes)).toEqual({ ids: ['new'], unmatched: ['old'], ambiguous: [] });
});

test('an item matches no resource if several resources have its name and type, and these resources are reported as ambiguous', () => {
  const remotes = [there('a', { name: 'Shop' }), there('b', { name: 'Shop' })];
  expect(idsOf([item({ name: 'Shop' })], remotes)).toEqual({
    ids: [null],
    unmatched: ['a', 'b'],
    ambiguous: [['a', 'b']],
  });
});

test('if two items have the name of a resource, the resource matches the item without a key, not the item with a new key', () => {
  const remotes = [there('a', { name: 'Shop' })];
  const wanted = [item({ key: 'shop', name: 'Shop' }), item({ name: 'Shop' })];
  expect(idsOf(wanted, remotes)).toEqual({ ids: [null, 'a'], unmatched: [], ambiguous: [] });
});

test('a window matches by its title and its start, even if the start is written in another time zone or form', () => {
  const start = { name: 'Move', scheduledStart: '2030-01-01T00:00:00Z' };
  const wanted = wantedFrom(maintenanceWindow, { key: null, ...start });
  const same = { id: 'a', name: 'Move', scheduledStart: '2030-01-01T01:00:00+01:00' };
  const later = { id: 'b', name: 'Move', scheduledStart: '2030-01-02T00:00:00Z' };
  const { pairs, unmatched } = match(maintenanceWindow, [wanted], [later, same]);
  expect(pairs.get(wanted)?.id).toBe('a');
  expect(unmatched).toEqual([later]);
});

test('an item with `renamedFrom` matches the resource with the earlier key or name, unless a resource has the new key or name', () => {
  const renamed = (fields: Partial<Named> & { name: string }, renamedFrom: string) => ({
    ...item(fields),
    renamedFrom,
  });
  const old = there('a', { name: 'Shop' });
  expect(idsOf([renamed({ name: 'Store' }, 'Shop')], [old])).toEqual({ ids: ['a'], unmatched: [], ambiguous: [] });
  expect(idsOf([renamed({ key: 'store', name: 'Store' }, 'Shop')], [old])).toMatchObject({ ids: ['a'] });
  const keyed = there('b', { key: 'shop', name: 'Shop' });
  expect(idsOf([renamed({ key: 'store', name: 'Shop' }, 'shop')], [keyed])).toMatchObject({ ids: ['b'] });
  const both = [old, there('new', { name: 'Store' })];
  expect(idsOf([renamed({ name: 'Store' }, 'Shop')], both)).toMatchObject({ ids: ['new'], unmatched: ['a'] });
  expect(idsOf([renamed({ name: 'Store' }, 'Shop'), item({ name: 'Shop' })], [old])).toMatchObject({
    ids: [null, 'a'],
  });
  expect(idsOf([renamed({ name: 'Store' }, 'Nothing')], [old])).toMatchObject({ ids: [null], unmatched: ['a'] });
});
