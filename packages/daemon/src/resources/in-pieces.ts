import type { Pages } from './handler.ts';

/**
 * Renders the rows of a list. If there are more than `size` rows, resolves with pieces of `size` items, each rendered
 * when it is sent. So a long list does not block the event loop, and slow readers use little memory.
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
