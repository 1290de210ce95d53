import { describe, expect, test } from 'vitest';
import { createCollection } from './collection.ts';
import { isMap, mapsOf, numberOf, textOf, textsOf } from './parse-data.ts';

describe('a collection', () => {
  test('a collection makes the key of each item from its name, and adds a number if another item already has that key', () => {
    const into = createCollection();
    const keys = ['My Shop', 'my shop', 'My  shop!', 'Käse', '短い', '短い'].map((name) =>
      into.add('monitors', name, { name }),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[0]).toBe('my-shop');
    for (const key of keys) expect(key).toMatch(/^[a-z0-9._-]{1,63}$/);
  });

  test('a collection allows the same key in different lists', () => {
    const into = createCollection();
    expect(into.add('monitors', 'Shop', {})).toBe('shop');
    expect(into.add('channels', 'Shop', {})).toBe('shop');
  });

  test('a collection leaves out undefined fields, and keeps null and false', () => {
    const into = createCollection();
    into.add('monitors', 'Shop', { url: undefined, paused: false, key: 'own', regions: null });
    expect(into.drafts).toEqual([
      { list: 'monitors', about: 'Shop', fields: { key: 'own', paused: false, regions: null } },
    ]);
  });

  test('a collection does not repeat a note about the same item', () => {
    const into = createCollection();
    for (const about of ['Shop', 'Shop', 'Stock', null, null]) into.note('lost', about, 'the query');
    into.note('changed', 'Shop', 'the query');
    expect(into.notes.map(({ level, about }) => `${level} ${about}`)).toEqual([
      'lost Shop',
      'lost Stock',
      'lost null',
      'changed Shop',
    ]);
  });
});

describe('a value of an imported file', () => {
  test.each([
    ['text', 'text', undefined],
    ['', undefined, undefined],
    ['5', '5', 5],
    [' 5 ', ' 5 ', 5],
    [' ', ' ', undefined],
    [5.5, '5.5', 5.5],
    [0, '0', 0],
    ['5s', '5s', undefined],
    ['Infinity', 'Infinity', undefined],
    [NaN, 'NaN', undefined],
    [null, undefined, undefined],
    [true, undefined, undefined],
    [[5], undefined, undefined],
    [{}, undefined, undefined],
  ])('the value %j is read as the text %j and as the number %j', (value, text, number) => {
    expect(textOf(value)).toBe(text);
    expect(numberOf(value)).toBe(number);
  });

  test('isMap returns true only for a value that is neither a list nor a single value', () => {
    expect([{}, { a: 1 }].every(isMap)).toBe(true);
    expect([[], null, 'x', 5, undefined].some(isMap)).toBe(false);
    expect(mapsOf([{ a: 1 }, 'x', null, [], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(mapsOf({ a: {} })).toEqual([]);
  });

  test('textsOf returns a map of the entries that are texts or numbers', () => {
    expect(textsOf({ a: 'x', b: 5, c: '', d: null, e: { f: 'g' }, h: true })).toEqual({ a: 'x', b: '5' });
    expect(textsOf('x')).toEqual({});
  });
});
