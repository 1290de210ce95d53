import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOfName, maxKeyLength, numberedKey } from './key-of-name.ts';

describe('the key of a name', () => {
  test.each<[string, string]>([
    ['Shop', 'shop'],
    ['Shop (EU)', 'shop-eu'],
    ['  Shop  ', 'shop'],
    ['a_b.c-d', 'a_b.c-d'],
    ['https://a.example/x?y=1', 'https-a.example-x-y-1'],
    ['Café Zürich', 'cafe-zurich'],
    ['Ｆｕｌｌ ﬁt', 'full-fit'],
    ['№ 5', 'no-5'],
    ['Straße', 'stra-e'],
    ['短い Shop', 'shop'],
    ['a👍🏽b', 'a-b'],
    ['--', ''],
    ['短い', ''],
    ['', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ])('the key of the name %j is %j', (name, key) => {
    expect(keyOfName(name)).toBe(key);
  });

  test('every name leads to a valid or empty key, and `keyOfName` returns a key unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        const key = keyOfName(name);
        expect(key).toMatch(/^(?:[a-z0-9._-]{1,63})?$/);
        expect(key).not.toMatch(/^-|-$/);
        expect(keyOfName(key)).toBe(key);
      }),
    );
  });
});

describe('the key of a further item with the same name', () => {
  test.each<[string, number, string]>([
    ['shop', 1, 'shop'],
    ['shop', 2, 'shop-2'],
    ['shop', 100, 'shop-100'],
    ['x'.repeat(63), 1, 'x'.repeat(63)],
    ['x'.repeat(63), 2, `${'x'.repeat(61)}-2`],
    ['x'.repeat(63), 1000, `${'x'.repeat(58)}-1000`],
  ])('with the base %j, the key of item number %i is %j', (base, count, key) => {
    expect(numberedKey(base, count)).toBe(key);
    expect(key.length).toBeLessThanOrEqual(maxKeyLength);
  });

  test('the key of each item differs from the keys of all other items', () => {
    const keys = Array.from({ length: 300 }, (_, i) => numberedKey('x'.repeat(63), i + 1));
    expect(new Set(keys).size).toBe(300);
  });
});
