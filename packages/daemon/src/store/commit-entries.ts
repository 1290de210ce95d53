import type { Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { BatchOptions } from './batch.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/** An item that waits for its answer. */
export interface Entry<Item, Answer> {
  item: Item;
  mayWait: boolean;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (reason: unknown) => void;
}

/** Applies entries in one transaction. Returns the entries that still need an answer. */
export type Commit<Item, Answer> = (entries: Entry<Item, Answer>[]) => Promise<Entry<Item, Answer>[]>;

/**
 * Returns a function that commits entries. If a commit fails, the function commits each half of the entries, so that
 * only the bad item fails.
 */
export function createCommit<Item, Answer>(
  store: Pick<Store, 'write'>,
  apply: (trx: Transaction<Tables>, items: Item[]) => Promise<Answer[]>,
  { durable = true, urgent = false, inParts = false, finish, onCommit, onRefusal }: BatchOptions<Item, Answer>,
): Commit<Item, Answer> {
  const commit: Commit<Item, Answer> = async (entries) => {
    const items = entries.map(({ item }) => item);
    let answers: Answer[];
    try {
      answers = await store.write(
        async (trx) => {
          const answers = await apply(trx, items);
          if (answers.length === items.length || (inParts && answers.length > 0)) return answers;
          throw new Error(`A batch of ${items.length} got ${answers.length} answers.`);
        },
        { durable, urgent },
      );
    } catch (error) {
      const alone = entries.length === 1;
      // If the store accepts no writes, no item is to blame, and commits of fewer items would fail too.
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
  };
  return commit;
}

/**
 * Calls a listener. A listener that throws has a bug, which ends the process. The items get their answers before the
 * process ends.
 */
export function tell<News>(listener: ((news: News) => void) | undefined, news: News): void {
  try {
    listener?.(news);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
