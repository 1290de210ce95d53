import { expect, test } from 'vitest';
import { inPieces } from './in-pieces.ts';

test('inPieces returns a short list as a whole, and a long list in pieces of the given size', async () => {
  const sizes: number[] = [];
  const render = (rows: readonly number[]) => {
    sizes.push(rows.length);
    return rows.map((row) => row * 2);
  };
  expect(await inPieces([1, 2, 3], 3, render)).toEqual([2, 4, 6]);
  expect(await inPieces([], 3, render)).toEqual([]);
  sizes.length = 0;
  const long = await inPieces([1, 2, 3, 4, 5, 6, 7], 3, render);
  const items: number[] = [];
  for await (const piece of long as AsyncIterable<number[]>) items.push(...piece);
  expect(items).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(sizes).toEqual([3, 3, 1]);
});
