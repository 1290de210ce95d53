import type { BatchOptions } from './batch.ts';

/**
 * If this many items arrive in one turn of the event loop, the batch waits for one more turn. In all, it waits for at
 * most `maxTurns` turns.
 */
const crowd = 8;
const maxTurns = 3;

/** The items that wait in a batch. */
export interface GatheredItems {
  count(): number;
  mayAllWait(): boolean;
  /** Takes the next items from the queue and commits them. */
  next(): void;
}

export interface Gathering {
  /** Waits for more items, and then calls `next`. A closed batch waits for only one turn of the event loop. */
  begin(closed: boolean): void;
  /**
   * Ends the longer wait (`longWait` in batch.ts), which runs only while every gathered item may wait. Does nothing if
   * that wait is not running.
   */
  endLongWait(closed: boolean): void;
}

export function createGathering(
  { maxItems = 500, gatherMs, longWait }: Pick<BatchOptions<never, never>, 'maxItems' | 'gatherMs' | 'longWait'>,
  items: GatheredItems,
): Gathering {
  /** The timer of the longer wait; undefined while that wait is not running. */
  let longWaitTimer: NodeJS.Timeout | undefined;

  function begin(closed: boolean): void {
    if (longWait && !closed && items.count() < maxItems && items.mayAllWait()) {
      longWaitTimer = setTimeout(() => {
        longWaitTimer = undefined;
        items.next();
      }, longWait.gatherMs);
    } else if (gatherMs === undefined || closed) gatherTurns(1, 0);
    else setTimeout(() => items.next(), gatherMs);
  }

  function endLongWait(closed: boolean): void {
    if (longWaitTimer === undefined) return;
    clearTimeout(longWaitTimer);
    longWaitTimer = undefined;
    begin(closed);
  }

  /**
   * Waits for the end of a burst of items: up to three turns of the event loop, so that the whole burst shares one
   * sync. A single item waits for one turn.
   */
  function gatherTurns(turn: number, before: number): void {
    setImmediate(() => {
      if (turn < maxTurns && items.count() < maxItems && items.count() - before >= crowd)
        gatherTurns(turn + 1, items.count());
      else items.next();
    });
  }

  return { begin, endLongWait };
}
