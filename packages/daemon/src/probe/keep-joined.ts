import { z } from 'zod';
import type { Logger, SteadyClock } from '../deps.ts';
import { type SyncAnswer, syncAnswer } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';

const { targets } = syncAnswer.shape;
const facts = z.object({ url: z.string(), region: z.number(), skewMs: z.number(), targets });

/**
 * The probe's region, how wrong the clock of its machine is, and the server's rule for targets. They are stored for the
 * next start.
 */
export interface Joined {
  /** The number of the probe's region; 0 until the server has sent it. */
  region: number;
  /** The server's rule for targets; undefined until the server has sent one. */
  targets: SyncAnswer['targets'];
  /**
   * Stores the region, the skew (by how much the machine's clock is ahead of the server's), and the rule. If the server
   * sends no rule, the stored rule stays.
   */
  note(facts: { region: number; skewMs: number; targets: SyncAnswer['targets'] }): Promise<void>;
}

/**
 * The skew is stored again only if it has changed by at least this much, so that few answers of the server cause a
 * write.
 */
const notedFromMs = 1000;

/**
 * Reads the stored region and skew, and corrects the clock by that skew. If the folder was used with another server or
 * region, `forget` removes the stored monitors, and the waiting results are deleted.
 */
export async function keepJoined(
  store: Store,
  { url, clock, log, forget }: { url: string; clock: SteadyClock; log: Logger; forget: () => Promise<void> },
): Promise<Joined> {
  const row = await store.db.selectFrom('probe_fact').select('value').where('name', '=', 'joined').executeTakeFirst();
  let known = row ? facts.parse(JSON.parse(row.value)) : null;
  const startAnew = async (reason: string) => {
    await forget();
    const { numDeletedRows } = await store.db.deleteFrom('probe_result').executeTakeFirstOrThrow();
    if (numDeletedRows > 0n)
      log.warn({ deleted: Number(numDeletedRows) }, `${reason}: the results that waited were deleted`);
  };
  if (known && known.url !== url) {
    await startAnew('this probe has joined another address');
    known = null;
  }
  if (known && known.skewMs !== 0) clock.step(-Math.round(known.skewMs));
  return {
    region: known?.region ?? 0,
    targets: known?.targets,
    async note({ region, skewMs, targets = known?.targets }) {
      const isKnown = known?.region === region && known.targets === targets;
      if (isKnown && Math.abs(known!.skewMs - skewMs) < notedFromMs) return;
      if (known && known.region !== region) await startAnew('the token is for another region');
      known = { url, region, skewMs: Math.round(skewMs), targets };
      const value = JSON.stringify(known);
      await store.db
        .insertInto('probe_fact')
        .values({ name: 'joined', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
