import type { Diagnostic } from './diagnostic.ts';
import { type Filling, fillVariables } from './fill-variables.ts';
import { placeOf } from './grow-tree.ts';
import { isMapTree, type MapTree, mapTree, type Tree } from './tree.ts';

/** Maximum number of items that one `forEach` may make, so that a few lists cannot make millions of items. */
const maxItems = 10_000;

/**
 * Returns the items that an item with `forEach` stands for: one item for each entry of its list, or for each
 * combination of values from its lists. An item without `forEach` stands for itself. Replaces the variables of each
 * returned item.
 */
export function expandItem(item: Tree, filling: Filling): { items: Tree[]; faults: Diagnostic[] } {
  const matrix = isMapTree(item) ? item.entries.get('forEach') : undefined;
  if (!matrix || !isMapTree(item)) return { items: [fillVariables(item, filling)], faults: [] };
  const template = mapTree(new Map([...item.entries].filter(([name]) => name !== 'forEach')), item.origin);
  const fault = (message: string) => ({
    items: [],
    faults: [{ ...placeOf(matrix.origin.document, matrix.origin.node ?? matrix.origin.key), message }],
  });
  const rows = rowsOf(fillVariables(matrix, filling));
  if (typeof rows === 'string') return fault(rows);
  if (rows.length * template.size > maxItems * 50 || rows.length > maxItems)
    return fault(
      `\`forEach\` makes ${rows.length} items; the limits are ${maxItems} items, and ${maxItems * 50} values in all items; split it`,
    );
  return { items: rows.map((each) => fillVariables(template, { ...filling, each })), faults: [] };
}

/** Returns the values of `${each.name}` for each item, or a text that says what is wrong. */
function rowsOf(matrix: Tree): MapTree[] | string {
  if (matrix.is === 'list') {
    return matrix.items.map((row) => (isMapTree(row) ? row : mapTree(new Map([['value', row]]), row.origin)));
  }
  if (!isMapTree(matrix)) return '`forEach` must be a list, or a map of lists';
  let rows: ReadonlyMap<string, Tree>[] = [new Map()];
  for (const [name, values] of matrix.entries) {
    if (values.is !== 'list') return `\`forEach.${name}\` must be a list of values`;
    if (rows.length * values.items.length > maxItems) return `\`forEach\` makes more than ${maxItems} items; split it`;
    rows = rows.flatMap((row) => values.items.map((value) => new Map([...row, [name, value] as const])));
  }
  return rows.map((row) => mapTree(row, matrix.origin));
}
