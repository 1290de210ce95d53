import { z } from 'zod';
import type { SteadyClock } from '../deps.ts';
import type { Store } from '../store/store.ts';

const facts = z.object({ url: z.string(), region: z.number(), skewMs: z.number() });

/** The probe's region, and how wrong the clock of its machine is. Both are stored for the next start. */
export interface Joined {
  /** The number of the probe's region; 0 until the server has sent it. */
  region: number;
  /** Stores the region, and by how much the machine's clock is ahead of the server's. */
  note(region: number, skewMs: number): Promise<void>;
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
  { url, clock, forget }: { url: string; clock: SteadyClock; forget: () => Promise<void> },
): Promise<Joined> {
  const row = await store.db.selectFrom('probe_fact').select('value').where('name', '=', 'joined').executeTakeFirst();
  let known = row ? facts.parse(JSON.parse(row.value)) : null;
  const startAnew = async () => {
    await forget();
    await store.db.deleteFrom('probe_result').execute();
  };
  if (known && known.url !== url) {
    await startAnew();
    known = null;
  }
  if (known && known.skewMs !== 0) clock.step(-Math.round(known.skewMs));
  return {
    region: known?.region ?? 0,
    async note(region, skewMs) {
      if (known?.region === region && Math.abs(known.skewMs - skewMs) < notedFromMs) return;
      if (known && known.region !== region) await startAnew();
      known = { url, region, skewMs: Math.round(skewMs) };
      const value = JSON.stringify(known);
      await store.db
        .insertInto('probe_fact')
        .values({ name: 'joined', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
