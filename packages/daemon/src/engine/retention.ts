import type { Deps } from '../deps.ts';
import { dayMs, hourMs } from '../core/uptime.ts';
import { forgetPast, purgeDeleted } from '../operations/forget-past.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const patience = 10 * 60_000;
/** Milliseconds between pieces: what answers people comes first. */
const breath = 20;

/**
 * Forgets what is past its time, a piece at a time so that nobody waits for it:
 * 1. The past of deleted monitors.
 * 2. Of each monitor in turn, what is older than it is kept.
 * 3. Idempotency keys older than a day.
 * 4. Give the room back to the disk.
 */
export function startRetention(deps: Pick<Deps, 'clock' | 'log'>, store: Store, rawRetentionDays: number): Loop {
  let after = 0;
  return startLoop(deps, 'retention', async () => {
    const now = deps.clock.now();
    if (await store.write((trx) => purgeDeleted(trx))) return breath;

    const next = await store.db
      .selectFrom('monitor')
      .select('seq')
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (next) {
      const more = await store.write((trx) =>
        forgetPast(trx, next.seq, {
          raw: now - rawRetentionDays * dayMs,
          timings: now - dayMs,
          histogram: Math.floor(now / hourMs) - 48,
          hours: Math.floor(now / hourMs) - 40 * 24,
          checkHours: Math.floor(now / hourMs) - 400 * 24,
          days: Math.floor(now / dayMs) - 800,
        }),
      );
      if (!more) after = next.seq;
      return breath;
    }

    after = 0;
    await store.write((trx) =>
      trx
        .deleteFrom('idempotency')
        .where('created_at', '<', now - dayMs)
        .execute(),
    );
    await store.dialect.shrink(store.db);
    return patience;
  });
}
