import type { Pages } from './handler.ts';

/**
 * Returns the items of a list, `size` rows at a time. A long list is sent in pieces, so that no piece blocks the event
 * loop, and slow readers use little memory.
 */
export async function inPieces<Row, Item>(
  rows: readonly Row[],
  size: number,
  render: (rows: readonly Row[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<Item[] | Pages<Item>> {
  if (rows.length <= size) return [...(await render(rows))];
  return pieces();

  async function* pieces(): Pages<Item> {
    for (let from = 0; from < rows.length; from += size) yield await render(rows.slice(from, from + size));
  }
}
