import type { Deps } from '../../deps.ts';
import type { Store } from '../../store/store.ts';
import type { CallerKey } from './opened-project.ts';

/** The last use of a key is written at most once in this time. */
const writtenEveryMs = 60_000;

/** Records the use of a key. Returns at once; the write does not delay the request. */
export type NoteKeyUse = (key: CallerKey) => void;

/** `track` receives the writes, so that a stop of the daemon waits for them. */
export function createKeyUses(
  { store, clock, log }: { store: Store } & Pick<Deps, 'clock' | 'log'>,
  track: (work: Promise<void>) => unknown,
): NoteKeyUse {
  const underWay = new Set<string>();
  const write = async (id: string, now: number) => {
    try {
      await store.write(
        (trx) =>
          trx
            .updateTable('project_key')
            .set({ last_used_at: now })
            .where('id', '=', id)
            .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<=', now - writtenEveryMs)]))
            .execute(),
        { durable: false },
      );
    } catch (error) {
      // The request must not fail because this write failed. The next use of the key is written instead.
      log.warn({ err: error, key: id }, 'the last use of a key could not be stored');
    } finally {
      underWay.delete(id);
    }
  };
  return ({ id, last_used_at: last }) => {
    const now = clock.now();
    if (id === null || underWay.has(id) || (last !== null && now - last < writtenEveryMs)) return;
    underWay.add(id);
    track(write(id, now));
  };
}
