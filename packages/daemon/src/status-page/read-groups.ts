import { nextTurn } from '../wait.ts';
import type { Store } from '../store/store.ts';

const maxRowsAtOnce = 5;
/**
 * A value is cached only if the latest change of its row is older than this. A row may change again within the same
 * millisecond, and then `updated_at` would not show the second change.
 */
const settledAfterMs = 1000;
const maxKept = 20_000;

/**
 * Returns a function that reads the value of one label for each monitor. Values are cached until the monitor changes,
 * because the stored fields of a monitor may be large.
 */
export function createGroupReader({ db }: Pick<Store, 'db'>) {
  const kept = new Map<string, { updatedAt: number; value: string | null }>();

  return async (
    monitors: readonly { seq: number; updated_at: number }[],
    label: string | null,
    now: number,
  ): Promise<ReadonlyMap<number, string | null>> => {
    const groups = new Map<number, string | null>();
    if (label === null) return groups;
    const unread: number[] = [];
    for (const { seq, updated_at } of monitors) {
      const known = kept.get(`${seq} ${label}`);
      if (known?.updatedAt === updated_at) groups.set(seq, known.value);
      else unread.push(seq);
    }
    if (kept.size + unread.length > maxKept) kept.clear();
    for (let at = 0; at < unread.length; at += maxRowsAtOnce) {
      const rows = await db
        .selectFrom('monitor')
        .select(['seq', 'config', 'updated_at'])
        .where('seq', 'in', unread.slice(at, at + maxRowsAtOnce))
        .execute();
      for (const { seq, config, updated_at } of rows) {
        const value = labelIn(config, label);
        groups.set(seq, value);
        if (now - updated_at > settledAfterMs) kept.set(`${seq} ${label}`, { updatedAt: updated_at, value });
        await nextTurn();
      }
    }
    return groups;
  };
}

function labelIn(config: string, label: string): string | null {
  const { labels = {} } = JSON.parse(config) as { labels?: Record<string, string> };
  return Object.hasOwn(labels, label) ? labels[label] || null : null;
}
