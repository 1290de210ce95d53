import { ServiceError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Transaction } from 'kysely';
import { createCommit, type Entry, tell } from './commit-entries.ts';
import { createGathering } from './gather-items.ts';
import type { Tables } from './tables.ts';

/** Commits many writes together, because a synced commit costs the same for one row as for five hundred. */
export interface Batch<Item, Answer> {
  /**
   * Resolves when the item is committed. If the batch is durable, the item is then also synced to disk. Rejects with
   * the error of `apply` for this item, or with `unavailable` when too many items wait or the store accepts no writes.
   */
  submit(item: Item): Promise<Answer>;
  /** Commits the waiting items now. Resolves when all items accepted so far have their answers. */
  settled(): Promise<void>;
  /** Accepts no more items. Resolves when all accepted items have their answers. */
  close(): Promise<void>;
}

export interface BatchOptions<Item, Answer> {
  /** Maximum number of items in one transaction. */
  maxItems?: number;
  /** Maximum number of waiting items. Beyond it, `submit` rejects. */
  maxWaiting?: number;
  /**
   * How long items are gathered, in milliseconds. By default, items are gathered for one turn of the event loop. If
   * many items arrive, they are gathered for up to two more turns.
   */
  gatherMs?: number;
  /**
   * Which items may wait longer for other items, and for how many milliseconds. The wait ends when the batch is full,
   * or when an item arrives that may not wait.
   */
  longWait?: { mayWait: (item: Item) => boolean; gatherMs: number };
  /** False means that a commit does not wait for the disk: see `write` in store.ts. */
  durable?: boolean;
  /** Whether the commits of the batch come before other writes: see `write` in store.ts. */
  urgent?: boolean;
  /**
   * Whether `apply` may process only the first items and return only their answers. The next transaction begins with
   * the remaining items.
   */
  inParts?: boolean;
  /** Called after the commit with each answer of `apply`. Returns the answer that the submitter gets. */
  finish?: (answer: Answer, item: Item) => Answer | Promise<Answer>;
  /** Called with all answers of a commit, before the submitters get their answers. */
  onCommit?: (answers: readonly Answer[]) => void;
  /** Called with items that `submit` refused or that could not be committed. */
  onRefusal?: (items: readonly Item[]) => void;
}

/**
 * Returns a batch. The batch gathers items for one to three turns of the event loop, and applies them in order in one
 * transaction. During the transaction it gathers the items of the next transaction. `apply` returns one answer for each
 * item. After a failure, `apply` is called again with each half of the items, so that only the bad item fails.
 */
export function createBatch<Item, Answer>(
  store: Pick<Store, 'write'>,
  apply: (trx: Transaction<Tables>, items: Item[]) => Promise<Answer[]>,
  options: BatchOptions<Item, Answer> = {},
): Batch<Item, Answer> {
  const { maxItems = 500, maxWaiting = 10_000, longWait, onRefusal } = options;
  const commit = createCommit(store, apply, options);
  let queue: Entry<Item, Answer>[] = [];
  let running = false;
  let closed = false;
  let [taken, answered] = [0, 0];
  let waitingFor: { last: number; resolve: () => void }[] = [];
  const gathering = createGathering(options, {
    count: () => queue.length,
    mayAllWait: () => queue.every(({ mayWait }) => mayWait),
    // `next` never rejects: `commit` passes every failure of the store to the submitters.
    next: () => void next(),
  });

  async function next(): Promise<void> {
    const entries = queue.slice(0, maxItems);
    queue = queue.slice(maxItems);
    const left = await commit(entries);
    // The remaining entries have waited already, and must not wait again. During the commit they were not in the queue,
    // so a call of `settled` did not reach them.
    for (const entry of left) entry.mayWait = false;
    queue = left.concat(queue);
    answered += entries.length - left.length;
    for (const { last, resolve } of waitingFor) if (last <= answered) resolve();
    waitingFor = waitingFor.filter(({ last }) => last > answered);
    if (queue.length > 0) gathering.begin(closed);
    else running = false;
  }

  function settled(): Promise<void> {
    // This waits only for the items accepted so far, because under load the queue may never be empty.
    if (answered === taken) return Promise.resolve();
    for (const entry of queue) entry.mayWait = false;
    gathering.endLongWait(closed);
    return new Promise((resolve) => waitingFor.push({ last: taken, resolve }));
  }

  return {
    submit(item) {
      const refusal = closed ? shuttingDown() : queue.length < maxWaiting ? null : tooManyWaiting();
      if (refusal) {
        tell(onRefusal, [item]);
        return Promise.reject(refusal);
      }
      return new Promise((resolve, reject) => {
        const mayWait = longWait?.mayWait(item) ?? false;
        queue.push({ item, mayWait, resolve, reject });
        taken++;
        if (!running) {
          running = true;
          gathering.begin(closed);
        } else if (!mayWait || queue.length >= maxItems) gathering.endLongWait(closed);
      });
    },
    settled,
    close() {
      closed = true;
      return settled();
    },
  };
}

const shuttingDown = () => new ServiceError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 5 });

const tooManyWaiting = () =>
  new ServiceError('unavailable', 'Too many writes are waiting. Send the request again.', { retryAfterSeconds: 1 });
