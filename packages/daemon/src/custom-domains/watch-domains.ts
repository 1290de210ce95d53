import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import type { Sight } from './where-it-points.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Whoever has not set a record so long after naming the domain, in milliseconds, gets fewer looks. */
const hopefulFor = 24 * hour;
/** Domains looked at side by side. */
const chunk = 20;

type Watched = Pick<StatusPageRow, 'seq' | 'updated_at' | 'domain_status' | 'domain_error'> & { custom_domain: string };

/** Looks where custom domains point, and writes down what it saw. */
export function createDomainWatch(
  clock: Clock,
  store: Store,
  { look, stopping }: { look: (name: string) => Promise<Sight>; stopping: AbortSignal },
) {
  const lookAt = async (page: Watched): Promise<void> => {
    const sight = await look(page.custom_domain);
    if (stopping.aborted) return;
    const seen = stateAfter(sight, page, clock.now());
    await store.write((trx) =>
      trx
        .updateTable('status_page')
        .set(seen)
        .where('seq', '=', page.seq)
        // What was seen of one name says nothing of the next.
        .where('custom_domain', '=', page.custom_domain)
        .execute(),
    );
  };

  return {
    lookAt,
    /** Looks at those that are due; answers whether there were any, and whether there may be more. */
    async lookAtDue(): Promise<{ looked: boolean; more: boolean }> {
      const now = clock.now();
      const due = await store.db
        .selectFrom('status_page')
        .selectAll()
        .where('domain_check_at', '<=', now)
        .orderBy('domain_check_at')
        .limit(chunk)
        .execute();
      if (due.length === 0) return { looked: false, more: false };
      // The next look is set first: what takes long, or brings the daemon down, is not looked at by two.
      const claimed = await store.write(async (trx) => {
        const taken: Watched[] = [];
        for (const page of due) {
          const { numUpdatedRows } = await trx
            .updateTable('status_page')
            .set({ domain_check_at: now + minute })
            .where('seq', '=', page.seq)
            .where('domain_check_at', '=', page.domain_check_at)
            .executeTakeFirst();
          if (numUpdatedRows === 1n && page.custom_domain !== null)
            taken.push({ ...page, custom_domain: page.custom_domain });
        }
        return taken;
      });
      await Promise.all(claimed.map(lookAt));
      return { looked: true, more: due.length === chunk };
    },
  };
}

function stateAfter(
  sight: Sight,
  page: Watched,
  now: number,
): Pick<StatusPageRow, 'domain_status' | 'domain_error' | 'domain_check_at'> {
  if (sight.points === 'here') return { domain_status: 'active', domain_error: null, domain_check_at: now + hour };
  if (sight.points === 'elsewhere') {
    const wait = now - page.updated_at < hopefulFor ? minute : hour;
    return { domain_status: 'error', domain_error: sight.reason, domain_check_at: now + wait };
  }
  // Name servers that fail take no page away that was served.
  return {
    domain_status: page.domain_status,
    domain_error: page.domain_status === 'pending' ? sight.reason : page.domain_error,
    domain_check_at: now + minute,
  };
}
