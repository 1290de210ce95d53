import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMetric } from './metric.ts';
import { isAddress, mayBeToken } from './target.ts';

test.each<[string, [string, number | string] | null]>([
  ['rows=12', ['rows', 12]],
  ['rows=-1.5', ['rows', -1.5]],
  ['rows=.5', ['rows', 0.5]],
  ['rows=5.', ['rows', 5]],
  ['rows=1e3', ['rows', 1000]],
  ['rows=1E-3', ['rows', 0.001]],
  ['rows=0012', ['rows', 12]],
  ['rows=1e999', ['rows', '1e999']],
  ['rows=NaN', ['rows', 'NaN']],
  ['rows=Infinity', ['rows', 'Infinity']],
  ['rows=0x10', ['rows', '0x10']],
  ['rows=1,5', ['rows', '1,5']],
  ['rows= 5', ['rows', ' 5']],
  ['rows=', ['rows', '']],
  ['host=a=b', ['host', 'a=b']],
  ['text=a\nb', ['text', 'a\nb']],
  ['a b=1', ['a b', 1]],
  ['rows', null],
  ['=5', null],
  ['', null],
])('readMetric parses %j as %j', (text, expected) => {
  expect(readMetric(text)).toEqual(expected);
});

test.each([
  ['https://uptime.example/ping/x', true, false],
  ['HTTP://uptime.example', true, false],
  ['ftp://uptime.example', false, false],
  ['nightly-backup', false, false],
  ['nightly-backup-of-all-databases', false, true],
  ['abcdefghijklmno', false, false],
  ['abcdefghijklmnop', false, true],
  ['x'.repeat(128), false, true],
  ['x'.repeat(129), false, false],
  ['abcdefghijklmnop/start', false, false],
  ['abcdefghijklmnop\n', false, false],
  ['', false, false],
])('the word %j is an address: %s, and may be a token: %s', (word, address, token) => {
  expect([isAddress(word), mayBeToken(word)]).toEqual([address, token]);
});

test('readMetric returns any number as a number, and any other value as the same text', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('='));
  fc.assert(
    fc.property(name, fc.double({ noNaN: true, noDefaultInfinity: true }), (field, value) => {
      expect(readMetric(`${field}=${value}`)).toEqual([field, value === 0 ? Number(String(value)) : value]);
    }),
  );
  fc.assert(
    fc.property(name, fc.string(), (field, value) => {
      const [, read] = readMetric(`${field}=${value}`)!;
      if (typeof read === 'number') expect(Number(value)).toBe(read);
      else expect(read).toBe(value);
    }),
  );
});
