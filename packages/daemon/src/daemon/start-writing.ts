import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { followMove } from './follow-move.ts';
import type { Parts } from './open-parts.ts';
import type { Overrides } from './overrides.ts';
import { startWriters } from './start-writers.ts';
import type { Started } from './started.ts';

/**
 * Starts everything that writes to the store without a request. During a move to PostgreSQL these writers are stopped.
 * If the move fails, they start again.
 */
export async function startWriting(
  deps: Deps & { clock: SteadyClock },
  config: Config,
  parts: Parts,
  { overrides, started, closers }: { overrides: Overrides; started: Started; closers: Closers },
): Promise<void> {
  const start = () => startWriters(deps, config, parts, { overrides, started });
  let writers = await start();
  closers.add(() => writers.close());
  if (!parts.store.dialect.exclusive) return;
  const move = followMove(deps, parts.store, {
    stopWriting: () => writers.close(),
    goOn: async () => {
      writers = await start();
    },
  });
  started.isMoving = move.isClosed;
  closers.add(() => move.stop());
}
