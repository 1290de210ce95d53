import type { Deps } from '../../deps.ts';
import type { Store } from '../../store/store.ts';
import type { CallerKey } from './opened-project.ts';

/** The time of a key's last use is written at most once within this time. */
const writtenEveryMs = 60_000;

/** Records that a key was used. Returns at once, so that the write does not delay the request. */
export type NoteKeyUse = (key: CallerKey) => void;

/** Creates a `NoteKeyUse`. It passes each write to `track`, so that a stop of the daemon waits for the write. */
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
      // The request must not fail because this write failed. The next use of the key will be written.
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
