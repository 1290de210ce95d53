/** An item that a heap holds. Only the heap changes `index`. */
export interface HeapItem {
  /** The item's position in the heap; -1 while the item is in no heap. */
  index: number;
}

/** Items in order of a key. Adding, removing and moving an item takes logarithmic time. */
export interface Heap<T extends HeapItem> {
  size(): number;
  /** The item with the lowest key. */
  first(): T | undefined;
  add(item: T): void;
  /** Removes an item. The heap must hold it. */
  remove(item: T): void;
  /** Puts an item in order again after its key changed. */
  moved(item: T): void;
  /** How many items have a key of at most `key`. The time grows only with the number of these items. */
  countUntil(key: number): number;
}

/**
 * Creates a binary heap. If the key of an item in the heap changes, call `moved` before any other function of the heap.
 */
export function createHeap<T extends HeapItem>(keyOf: (item: T) => number): Heap<T> {
  const items: T[] = [];
  const put = (item: T, index: number) => {
    items[index] = item;
    item.index = index;
  };
  const up = (item: T) => {
    const key = keyOf(item);
    let { index } = item;
    while (index > 0) {
      const parent = items[(index - 1) >> 1]!;
      if (keyOf(parent) <= key) break;
      const next = parent.index;
      put(parent, index);
      index = next;
    }
    put(item, index);
  };
  const down = (item: T) => {
    const key = keyOf(item);
    let { index } = item;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && keyOf(items[right]!) < keyOf(items[left]!) ? items[right]! : items[left]!;
      if (keyOf(child) >= key) break;
      const next = child.index;
      put(child, index);
      index = next;
    }
    put(item, index);
  };
  const moved = (item: T) => {
    up(item);
    down(item);
  };

  return {
    size: () => items.length,
    first: () => items[0],
    add(item) {
      put(item, items.length);
      up(item);
    },
    remove(item) {
      const last = items.pop()!;
      const { index } = item;
      item.index = -1;
      if (last === item) return;
      put(last, index);
      moved(last);
    },
    moved,
    countUntil: (key) => countUntil(items, keyOf, key),
  };
}

function countUntil<T>(items: readonly T[], keyOf: (item: T) => number, key: number): number {
  let count = 0;
  const open = [0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const item = items[at];
    if (item === undefined || keyOf(item) > key) continue;
    count++;
    open.push(2 * at + 1, 2 * at + 2);
  }
  return count;
}
