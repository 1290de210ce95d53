import { ServiceError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Many writes in one commit: a synced commit costs the same for one row as for five hundred. */
export interface Batch<Item, Answer> {
  /**
   * Resolves when the item is committed, never before; synced to disk unless the batch is not durable. Rejects with what `apply` threw for it, or with `unavailable`
   * when too much is waiting or the store takes no writes.
   */
  submit(item: Item): Promise<Answer>;
  /** Resolves when all that was taken so far is answered. */
  settled(): Promise<void>;
  /** Takes nothing more, and resolves when all that was taken is answered. */
  close(): Promise<void>;
}

export interface BatchOptions<Item, Answer> {
  /** Items in one transaction. */
  size?: number;
  /** Items waiting before more are refused. */
  waiting?: number;
  /** Milliseconds for which items are gathered; without it, a turn of the event loop, and up to two more in a crowd. */
  gather?: number;
  /** False: a commit does not wait for the disk; see `write`. */
  durable?: boolean;
  /** Told of all answers of a commit, before those who submitted are told of theirs. */
  onCommit?: (answers: readonly Answer[]) => void;
  /** Told of items that are refused. */
  onRefusal?: (items: readonly Item[]) => void;
}

/** Where so many come in one turn of the event loop, the next is waited for as well, up to so many turns. */
const crowd = 8;
const mostTurns = 3;

/**
 * Gathers what is submitted in one turn of the event loop, or up to three, and applies it in one transaction, in order;
 * while that runs, the next gathers. `apply` answers one answer for each item, and may be called again with the same items: a
 * batch that fails is applied in halves, so that one bad item fails alone.
 */
export function createBatch<Item, Answer>(
  store: Pick<Store, 'write'>,
  apply: (trx: Transaction<Tables>, items: Item[]) => Promise<Answer[]>,
  { size = 500, waiting = 10_000, gather, durable = true, onCommit, onRefusal }: BatchOptions<Item, Answer> = {},
): Batch<Item, Answer> {
  interface Entry {
    item: Item;
    resolve: (answer: Answer) => void;
    reject: (reason: unknown) => void;
  }
  let queue: Entry[] = [];
  let running = false;
  let closed = false;
  let [taken, answered] = [0, 0];
  let waitingFor: { last: number; resolve: () => void }[] = [];

  async function commit(entries: Entry[]): Promise<void> {
    const items = entries.map(({ item }) => item);
    let answers: Answer[];
    try {
      answers = await store.write(
        async (trx) => {
          const answers = await apply(trx, items);
          if (answers.length === items.length) return answers;
          throw new Error(`A batch of ${items.length} got ${answers.length} answers.`);
        },
        { durable },
      );
    } catch (error) {
      const alone = entries.length === 1;
      // No item is to blame for a store that takes no writes: asking again for each would only wait longer.
      if (alone || (error instanceof ServiceError && error.code === 'unavailable')) {
        tell(onRefusal, items);
        for (const { reject } of entries) reject(error);
        return;
      }
      const middle = Math.ceil(entries.length / 2);
      await commit(entries.slice(0, middle));
      await commit(entries.slice(middle));
      return;
    }
    tell(onCommit, answers);
    entries.forEach(({ resolve }, at) => resolve(answers[at] as Answer));
  }

  async function next(): Promise<void> {
    const entries = queue.slice(0, size);
    queue = queue.slice(size);
    await commit(entries);
    answered += entries.length;
    for (const { last, resolve } of waitingFor) if (last <= answered) resolve();
    waitingFor = waitingFor.filter(({ last }) => last > answered);
    if (queue.length > 0) schedule();
    else running = false;
  }

  function schedule(): void {
    running = true;
    // commit() answers every failure of the store to those who submitted.
    if (gather === undefined || closed) gatherTurns(1, 0);
    else setTimeout(() => void next(), gather);
  }

  /** Who comes alone waits for nobody; of a crowd the rest is on its way, and costs one synced commit less. */
  function gatherTurns(turn: number, before: number): void {
    setImmediate(() => {
      if (turn < mostTurns && queue.length < size && queue.length - before >= crowd)
        gatherTurns(turn + 1, queue.length);
      else void next();
    });
  }

  function refusalNow(): ServiceError | null {
    if (closed) return new ServiceError('unavailable', 'The server is shutting down.', { retryAfter: 5 });
    if (queue.length < waiting) return null;
    return new ServiceError('unavailable', 'More writes are waiting than the store can take.', { retryAfter: 1 });
  }

  function settled(): Promise<void> {
    // Not until the queue is empty: under load it may never be.
    if (answered === taken) return Promise.resolve();
    return new Promise((resolve) => waitingFor.push({ last: taken, resolve }));
  }

  return {
    submit(item) {
      const refusal = refusalNow();
      if (refusal) {
        tell(onRefusal, [item]);
        return Promise.reject(refusal);
      }
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        taken++;
        if (!running) schedule();
      });
    },
    settled,
    close() {
      closed = true;
      return settled();
    },
  };
}

/** A listener that throws is a fault of the program and ends it, but not before the items have their answers. */
function tell<News>(listener: ((news: News) => void) | undefined, news: News): void {
  try {
    listener?.(news);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
