import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../packages/daemon/src/deps.ts';
import { createRegionShares } from '../../packages/daemon/src/probes/region-shares.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { openDatabase } from '../growth/database.ts';
import { fillMonitors, region } from '../growth/fill-monitors.ts';

/** How long the daemon takes to look for changed monitors in a region that probes serve, in milliseconds. */
export interface Look {
  database: Store['dialect']['name'];
  monitors: number;
  /** The first look, which loads all monitors. */
  firstMs: number;
  /** A second look, before which no monitor has changed. */
  againMs: number;
  /** Longest turn of the event loop during both looks. */
  longestTurnMs: number;
}

const probes = ['one', 'two', 'three'];

export async function measureLook(folder: string, database: Look['database'], monitors: number): Promise<Look> {
  const opened = await openDatabase(database, await mkdtemp(join(folder, 'look-')));
  try {
    return await opened.use(async (store) => {
      await fillMonitors(store, { target: 'http://target', monitors, intervalSeconds: 60, firstAt: Date.now() });
      const shares = createRegionShares(store, systemClock, region);
      const turns = watchTurns();
      const look = async () => {
        const begunMonoMs = performance.now();
        const { monitorCount } = await shares.read(probes);
        if (monitorCount !== monitors) throw new Error(`The look found ${monitorCount} monitors.`);
        return performance.now() - begunMonoMs;
      };
      const [firstMs, againMs] = [await look(), await look()];
      return { database, monitors, firstMs, againMs, longestTurnMs: await turns.end() };
    });
  } finally {
    await opened.close();
  }
}

/** Measures the longest turn of the event loop until `end` is called. */
function watchTurns() {
  const ending = new AbortController();
  let maxMs = 0;
  const watch = async () => {
    for (let last = performance.now(); !ending.signal.aborted;) {
      await nextTurn();
      const now = performance.now();
      maxMs = Math.max(maxMs, now - last);
      last = now;
    }
  };
  const watching = watch();
  return {
    async end() {
      ending.abort();
      await watching;
      return maxMs;
    },
  };
}
