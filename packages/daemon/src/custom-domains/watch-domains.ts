import { dayMs, hourMs } from '../core/uptime.ts';
import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import type { Claim, Verdict } from './judge-claim.ts';

const minuteMs = 60_000;
/** A domain that has not pointed here for this time is checked once an hour instead of once a minute. */
const checkedOftenForMs = dayMs;
/** Number of domains that are checked in parallel. */
const maxDomainsAtOnce = 20;

export type Watched = Pick<
  StatusPageRow,
  'seq' | 'project_id' | 'domain_status' | 'domain_error' | 'domain_pointed_at'
> & { custom_domain: string };

/** Creates the functions that check where custom domains point, and store the results. */
export function createDomainWatch(
  clock: Clock,
  store: Store,
  { judge, stopping }: { judge: (claim: Claim) => Promise<Verdict>; stopping: AbortSignal },
) {
  const lookAt = async (page: Watched): Promise<void> => {
    const verdict = await judge({ name: page.custom_domain, project: page.project_id });
    if (stopping.aborted) return;
    const seen = stateAfter(verdict, page, clock.now());
    await store.write((trx) =>
      trx
        .updateTable('status_page')
        .set(seen)
        .where('seq', '=', page.seq)
        // If the page got another domain during the check, the result for the old domain is not stored.
        .where('custom_domain', '=', page.custom_domain)
        .execute(),
    );
  };

  return {
    lookAt,
    /**
     * Checks domains that are due for a check. Resolves with whether any domain was checked (`looked`), and whether
     * more domains may be due (`more`).
     */
    async lookAtDue(): Promise<{ looked: boolean; more: boolean }> {
      const now = clock.now();
      const due = await store.db
        .selectFrom('status_page')
        .selectAll()
        .where('domain_check_at', '<=', now)
        .orderBy('domain_check_at')
        .limit(maxDomainsAtOnce)
        .execute();
      if (due.length === 0) return { looked: false, more: false };
      // Stores the time of the next check before the present check begins. So two processes do not check a domain at
      // the same time, even if one process is slow or crashes.
      const claimed = await store.write(async (trx) => {
        const taken: Watched[] = [];
        for (const page of due) {
          const { numUpdatedRows } = await trx
            .updateTable('status_page')
            .set({ domain_check_at: now + minuteMs })
            .where('seq', '=', page.seq)
            .where('domain_check_at', '=', page.domain_check_at)
            .executeTakeFirst();
          if (numUpdatedRows === 1n && page.custom_domain !== null)
            taken.push({ ...page, custom_domain: page.custom_domain });
        }
        return taken;
      });
      await Promise.all(claimed.map(lookAt));
      return { looked: true, more: due.length === maxDomainsAtOnce };
    },
  };
}

function stateAfter(
  verdict: Verdict,
  page: Watched,
  now: number,
): Pick<StatusPageRow, 'domain_status' | 'domain_error' | 'domain_check_at' | 'domain_pointed_at'> {
  const { domain_pointed_at } = page;
  if (verdict.served === true)
    return { domain_status: 'active', domain_error: null, domain_check_at: now + hourMs, domain_pointed_at: now };
  const { reason } = verdict;
  if (verdict.served === false) {
    const waitMs = now - (domain_pointed_at ?? now) < checkedOftenForMs ? minuteMs : hourMs;
    return { domain_status: 'error', domain_error: reason, domain_check_at: now + waitMs, domain_pointed_at };
  }
  // If the name servers fail, a page that is served stays served.
  return {
    domain_status: page.domain_status,
    domain_error: page.domain_status === 'pending' ? reason : page.domain_error,
    domain_check_at: now + minuteMs,
    domain_pointed_at,
  };
}
