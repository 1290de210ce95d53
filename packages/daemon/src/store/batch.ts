import { ServiceError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Many writes in one commit. A synced commit costs the same for one row as for five hundred. */
export interface Batch<Item, Answer> {
  /**
   * Resolves when the item is committed, and synced to disk unless the batch is not durable. Rejects with the error of
   * `apply` for it, or with `unavailable` when too much is waiting or the store accepts no writes.
   */
  submit(item: Item): Promise<Answer>;
  /** Resolves when all items accepted so far have their answers. */
  settled(): Promise<void>;
  /** Accepts no more items, and resolves when all accepted ones have their answers. */
  close(): Promise<void>;
}

export interface BatchOptions<Item, Answer> {
  /** Most items in one transaction. */
  size?: number;
  /** Most waiting items. Further ones are refused. */
  waiting?: number;
  /**
   * Milliseconds for which items are gathered. By default items gather for a turn of the event loop, and in a burst for
   * up to two more.
   */
  gatherMs?: number;
  /** False means that a commit does not wait for the disk; see `write`. */
  durable?: boolean;
  /** Whether `apply` may answer only the first items. The others come first in the next transaction. */
  inParts?: boolean;
  /** Returns the final answer, after the commit. */
  finish?: (answer: Answer, item: Item) => Answer | Promise<Answer>;
  /** Called with all answers of a commit, before the submitters get theirs. */
  onCommit?: (answers: readonly Answer[]) => void;
  /** Called with refused items. */
  onRefusal?: (items: readonly Item[]) => void;
}

/**
 * If this many items arrive in one turn of the event loop, the batch waits for the next turn too, up to a limit of
 * turns.
 */
const crowd = 8;
const mostTurns = 3;

/**
 * Gathers the items of one turn of the event loop, or of up to three, and applies them in order in one transaction.
 * Meanwhile the next batch gathers. `apply` returns one answer for each item. It may be called again with the same
 * items: a failed batch is applied in halves, so that only the bad item fails.
 */
export function createBatch<Item, Answer>(
  store: Pick<Store, 'write'>,
  apply: (trx: Transaction<Tables>, items: Item[]) => Promise<Answer[]>,
  {
    size = 500,
    waiting = 10_000,
    gatherMs,
    durable = true,
    inParts = false,
    finish,
    onCommit,
    onRefusal,
  }: BatchOptions<Item, Answer> = {},
): Batch<Item, Answer> {
  interface Entry {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (reason: unknown) => void;
  }
  let queue: Entry[] = [];
  let running = false;
  let closed = false;
  let [taken, answered] = [0, 0];
  let waitingFor: { last: number; resolve: () => void }[] = [];

  /** Returns the entries that still need an answer. */
  async function commit(entries: Entry[]): Promise<Entry[]> {
    const items = entries.map(({ item }) => item);
    let answers: Answer[];
    try {
      answers = await store.write(
        async (trx) => {
          const answers = await apply(trx, items);
          if (answers.length === items.length || (inParts && answers.length > 0)) return answers;
          throw new Error(`A batch of ${items.length} got ${answers.length} answers.`);
        },
        { durable },
      );
    } catch (error) {
      const alone = entries.length === 1;
      // If the store accepts no writes, no item is to blame, and retrying each would only take longer.
      if (alone || (error instanceof ServiceError && error.code === 'unavailable')) {
        tell(onRefusal, items);
        for (const { reject } of entries) reject(error);
        return [];
      }
      const middle = Math.ceil(entries.length / 2);
      const left = await commit(entries.slice(0, middle));
      if (left.length > 0) return [...left, ...entries.slice(middle)];
      return commit(entries.slice(middle));
    }
    tell(onCommit, answers);
    answers.forEach((answer, at) => {
      const { item, resolve } = entries[at]!;
      resolve(finish ? finish(answer, item) : answer);
    });
    return entries.slice(answers.length);
  }

  async function next(): Promise<void> {
    const entries = queue.slice(0, size);
    queue = queue.slice(size);
    const left = await commit(entries);
    queue = left.concat(queue);
    answered += entries.length - left.length;
    for (const { last, resolve } of waitingFor) if (last <= answered) resolve();
    waitingFor = waitingFor.filter(({ last }) => last > answered);
    if (queue.length > 0) schedule();
    else running = false;
  }

  function schedule(): void {
    running = true;
    // commit() passes every failure of the store to the submitters.
    if (gatherMs === undefined || closed) gatherTurns(1, 0);
    else setTimeout(() => void next(), gatherMs);
  }

  /** A single item commits at once; a burst waits up to three event-loop turns to share one sync. */
  function gatherTurns(turn: number, before: number): void {
    setImmediate(() => {
      if (turn < mostTurns && queue.length < size && queue.length - before >= crowd)
        gatherTurns(turn + 1, queue.length);
      else void next();
    });
  }

  function refusalNow(): ServiceError | null {
    if (closed) return new ServiceError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 5 });
    if (queue.length < waiting) return null;
    return new ServiceError('unavailable', 'Too many writes are waiting. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }

  function settled(): Promise<void> {
    // Waits only for the items accepted so far. Under load the queue may never be empty.
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

/** A listener that throws is a bug and ends the process, but only after the items have their answers. */
function tell<News>(listener: ((news: News) => void) | undefined, news: News): void {
  try {
    listener?.(news);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
