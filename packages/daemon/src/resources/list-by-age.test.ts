import { expect, test } from 'vitest';
import type { Pages } from './handler.ts';
import { listByAge } from './list-by-age.ts';

const rows = Array.from({ length: 1000 }, (_, n) => ({ id: `id${String(n).padStart(4, '0')}`, created_at: n >> 2 }));

/** A table in memory that notes how many rows each read asks for. */
function table() {
  const sizes: number[] = [];
  const read = async (after: [number, string] | null, maxRows: number) => {
    const found = rows.filter(
      (row) => after === null || row.created_at > after[0] || (row.created_at === after[0] && row.id > after[1]),
    );
    sizes.push(Math.min(maxRows, found.length));
    return found.slice(0, maxRows);
  };
  return { read, sizes };
}

const idOf = ({ id }: { id: string }) => id;
const noNext = () => expect.fail('a list without a limit has no next page');

test('listByAge reads a list without a limit in pieces, and reads a piece only when its caller asks for it', async () => {
  const { read, sizes } = table();
  const list = (await listByAge({ query: {}, nextPage: noNext }, read, idOf)) as Pages<string>;
  expect(sizes).toEqual([]);
  const items: string[] = [];
  for await (const piece of list) items.push(...piece);
  expect(items).toEqual(rows.map(idOf));
  expect(Math.max(...sizes)).toBe(200);
});

test('listByAge reads a page with one read, and reports where the next page begins', async () => {
  const { read, sizes } = table();
  const found: string[] = [];
  for (let cursor: string | undefined, more = true; more;) {
    more = false;
    const nextPage = (next: string) => {
      cursor = next;
      more = true;
    };
    found.push(...((await listByAge({ query: { limit: '300', cursor }, nextPage }, read, idOf)) as string[]));
  }
  expect(found).toEqual(rows.map(idOf));
  expect(sizes).toEqual([301, 301, 301, 100]);
});

test('listByAge yields no pieces for an empty list', async () => {
  const list = (await listByAge({ query: {}, nextPage: noNext }, async () => [], idOf)) as Pages<string>;
  for await (const piece of list) expect.fail(`there is a piece: ${JSON.stringify(piece)}`);
});
