import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';

/**
 * Commits within this time share one sync, because a sync may take 30 ms on an SD card. So a power cut loses at most
 * the results of the last `syncAfterMs`.
 */
const syncAfterMs = 250;
/** Time until the next try after a sync that failed. */
const syncAgainAfterMs = 5000;

/** Some commits do not wait for the disk. This syncs them to the disk a little later. */
export interface DiskSync {
  /** Syncs all commits so far, after `syncAfterMs`. */
  syncSoon(): void;
  /** Syncs the commits that are not on disk yet. */
  close(): Promise<void>;
}

export function createDiskSync({ clock, log }: Pick<Deps, 'clock' | 'log'>, store: Store): DiskSync {
  let cancel: (() => void) | null = null;
  let running = Promise.resolve();
  let closed = false;
  const syncAfter = (ms: number) => {
    cancel ??= clock.after(ms, () => void (running = sync()));
  };
  const sync = async () => {
    cancel = null;
    const value = String(clock.now());
    try {
      // SQLite syncs its write-ahead log only at a synced commit that changes something. Earlier commits are in the same
      // log, so this commit puts them on disk too.
      await store.write((trx) =>
        trx
          .insertInto('probe_fact')
          .values({ name: 'synced at', value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      );
    } catch (error) {
      log.warn({ err: error }, 'results are stored, but a power cut could lose them; the probe tries again');
      if (!closed) syncAfter(syncAgainAfterMs);
    }
  };
  return {
    syncSoon: () => syncAfter(syncAfterMs),
    async close() {
      closed = true;
      await running;
      if (cancel === null) return;
      cancel();
      await sync();
    },
  };
}
