import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { hostOf } from '../stored-monitors/monitor-fields.ts';

/** The function `registrableDomain`. Its module has a large list of public suffixes, so it loads when it is needed. */
let loadedRegistrableDomain: ((name: string) => string | null) | undefined;

/**
 * Records the registrable domain of a monitor. If the domain is new, the daemon soon asks the registry of the domain
 * for the expiry date.
 */
export async function watchDomain(
  trx: Transaction<Tables>,
  monitor: number,
  fields: NormalMonitor,
  now: number,
): Promise<void> {
  const host = hostOf(fields);
  const registrableDomain = (loadedRegistrableDomain ??= (await import('../expiry/registrable-domain.ts'))
    .registrableDomain);
  const domain = host === null ? null : registrableDomain(host);
  await trx.updateTable('monitor_state').set({ domain }).where('monitor', '=', monitor).execute();
  if (domain === null) return;
  await trx
    .insertInto('domain_registration')
    .values({ name: domain, next_at: now, checked_at: null, expires_at: null, registrar: null, error: null })
    .onConflict((known) => known.column('name').doNothing())
    .execute();
}
