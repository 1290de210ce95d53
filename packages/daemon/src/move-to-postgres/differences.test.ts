import { assert, asyncProperty, constantFrom, integer, nat, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { findDifferences } from './differences.ts';
import { compareKeys, type Row, type TableShape } from './rows.ts';

const shape: TableShape = {
  name: 't',
  key: ['a', 'b'],
  columns: [
    { name: 'a', form: 'number' },
    { name: 'b', form: 'text' },
    { name: 'value', form: 'number' },
  ],
};

const rows = uniqueArray(record({ a: nat(3), b: constantFrom('a', 'Z', 'é', '\u{1F600}', '\uFFFD'), value: nat(1) }), {
  selector: ({ a, b }) => `${a} ${b}`,
}).map((given): Row[] => given.toSorted((one, other) => compareKeys(shape, one, other)));

async function* paged(all: readonly Row[], size: number): AsyncGenerator<Row[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

test('after the differences are applied, the target equals the source, whatever rows both had before', async () => {
  await assert(
    asyncProperty(rows, rows, integer({ min: 1, max: 4 }), async (source, target, size) => {
      const key = ({ a, b }: Row) => `${a} ${b}`;
      const result = new Map(target.map((row) => [key(row), row]));
      let read = 0;
      for await (const { write, remove, compared } of findDifferences(shape, paged(source, size), paged(target, 3))) {
        for (const row of remove) expect(result.delete(key(row))).toBe(true);
        for (const row of write) expect(result.get(key(row))).not.toEqual(row);
        for (const row of write) result.set(key(row), row);
        read += compared;
      }
      expect([...result.values()].toSorted((one, other) => compareKeys(shape, one, other))).toEqual(source);
      expect(read).toBe(source.length);
    }),
    { numRuns: 300 },
  );
});
