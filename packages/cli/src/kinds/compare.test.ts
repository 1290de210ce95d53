import { describe, expect, test } from 'vitest';
import { asSet, byEntry, own, whole } from './compare.ts';

const of = { wanted: { key: null, name: 'x' }, current: { id: 'x_1', name: 'x' } };

describe('a field that is compared as a whole', () => {
  test('a field that is compared as a whole differs unless both values are deeply equal, and a missing value equals null', () => {
    expect(whole({ a: [1] }, { a: [1] }, of)).toEqual([]);
    expect(whole(undefined, null, of)).toEqual([]);
    expect(whole([1, 2], [2, 1], of)).toEqual([{ at: [], from: [1, 2], to: [2, 1] }]);
  });
});

describe('a list that is compared as a set', () => {
  test('a list that is compared as a set does not differ if only the order or repetitions differ', () => {
    expect(asSet(['eu', 'us'], ['us', 'eu'], of)).toEqual([]);
    expect(asSet(['eu'], ['eu', 'eu'], of)).toEqual([]);
  });

  test('a list that is compared as a set differs as a whole if one member differs', () => {
    expect(asSet(['eu'], ['eu', 'us'], of)).toEqual([{ at: [], from: ['eu'], to: ['eu', 'us'] }]);
    expect(asSet(null, ['eu'], of)).toEqual([{ at: [], from: null, to: ['eu'] }]);
  });
});

describe('a map that is compared entry by entry', () => {
  test('a map that is compared entry by entry has a difference for each entry that was changed, added or removed', () => {
    expect(byEntry({ a: 1, b: 2, c: 3 }, { a: 1, b: 4, d: 5 }, of)).toEqual([
      { at: ['b'], from: 2, to: 4 },
      { at: ['c'], from: 3, to: undefined },
      { at: ['d'], from: undefined, to: 5 },
    ]);
  });

  test('a map that is compared entry by entry is treated as empty if it is missing', () => {
    expect(byEntry(undefined, {}, of)).toEqual([]);
    expect(byEntry(null, { a: 1 }, of)).toEqual([{ at: ['a'], from: undefined, to: 1 }]);
  });

  test('a map that is compared entry by entry may have an entry named like an inherited property, such as `constructor`', () => {
    expect(own({}, 'constructor')).toBeUndefined();
    expect(byEntry({}, { toString: 'x' }, of)).toEqual([{ at: ['toString'], from: undefined, to: 'x' }]);
  });
});
