import { sql } from 'kysely';
import { countText, maxCounted } from '../core/counted-warnings.ts';
import { rolesFromText, unservedRoles } from '../core/roles.ts';
import type { Store } from '../store/store.ts';
import { isRetired, joining, silentAfterMs } from './regions.ts';
import { probeFault, restingProbes } from './resting-probes.ts';

/** A node that has left no sign of life for this long no longer counts as serving its roles. */
const goneAfterMs = 10_000;
/** Maximum number of regions that get a warning of their own. The same limit applies to probes. */
const maxNamed = 20;
/** Maximum number of names in the warning about regions that were never served. */
const maxInvented = 5;

/** The parts of a store that a reader needs. */
type Readable = Pick<Store, 'db' | 'dialect'>;

/** Resolves with warnings about roles, regions and probes that do not work now. Reads only the store. */
export async function servingWarnings(store: Readable, now: number): Promise<string[]> {
  return [
    ...(await roleWarnings(store, now)),
    ...(await retiredWarnings(store)),
    ...(await regionWarnings(store, now)),
    ...(await probeWarnings(store, now)),
  ];
}

/** Resolves with a warning for each role that no node of the installation has now. */
async function roleWarnings(store: Readable, now: number): Promise<string[]> {
  if (store.dialect.exclusive) return [];
  const nodes = await store.db
    .selectFrom('presence')
    .select('roles')
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - goneAfterMs)
    .execute();
  return unservedRoles(nodes.map(({ roles }) => ({ roles: rolesFromText(roles) })));
}

/**
 * Resolves with a warning if every region is retired. As long as one region is not retired, monitors that name no
 * regions have such a region (refit-regions.ts). Monitors that name a retired region cause no warning. Otherwise a
 * project could bring back the warning that ended when the operator retired the region.
 */
async function retiredWarnings(store: Readable): Promise<string[]> {
  const regions = await store.db
    .selectFrom('region')
    .select(['seen_at', 'retired_at'])
    .where('seen_at', '>', 0)
    .execute();
  if (regions.length === 0 || !regions.every(isRetired)) return [];
  return ['Every region is retired, so monitors that name no region are not checked. Start a daemon or a probe.'];
}

/**
 * Resolves with warnings about regions that monitors use but no daemon or probe serves. Users can invent names of
 * regions, so all names that were never served share one warning. Otherwise many such names could hide a region that
 * fell silent.
 */
async function regionWarnings(store: Readable, now: number): Promise<string[]> {
  // With the order, PostgreSQL reads the index `schedule_claimable`. Without it, PostgreSQL may search the whole table
  // for monitors of a region that has none.
  const { rows } = await sql<{ name: string; seenAt: number; monitors: number }>`
    select name, seen_at as "seenAt",
      (select count(*) from (
        select 1 from schedule where schedule.region = region.id
        order by ${store.dialect.greatest('next_at', 'lease_until')} limit ${maxCounted + 1}) as counted) as monitors
    from region
    where seen_at < ${now - silentAfterMs} and seen_at <> ${joining} and (retired_at is null or seen_at > retired_at)
    order by seen_at desc, name`.execute(store.db);
  const used = rows.filter(({ monitors }) => monitors > 0);
  const served = used.filter(({ seenAt }) => seenAt > 0);
  const invented = used.filter(({ seenAt }) => seenAt === 0);
  const warnings = served
    .slice(0, maxNamed)
    .map(
      ({ name, monitors }) =>
        `No daemon or probe checks from region "${name}", and ${countText(monitors)} monitor(s) use it.`,
    );
  if (invented.length > 0) {
    const names = invented.slice(0, maxInvented).map(({ name }) => `"${name}"`);
    const more = invented.length > names.length ? ` and ${invented.length - names.length} more` : '';
    const monitors = invented.reduce((sum, row) => sum + row.monitors, 0);
    warnings.push(
      `Monitors name regions that were never served: ${names.join(', ')}${more}. ${countText(monitors)} monitor(s) are not checked from there.`,
    );
  }
  return warnings;
}

/**
 * Resolves with a warning for each probe that is silent or cannot check. A probe that was stopped on purpose is left
 * out.
 */
async function probeWarnings(store: Readable, now: number): Promise<string[]> {
  const probes = await store.db
    .selectFrom('probe')
    .innerJoin('region', 'region.id', 'probe.region')
    .selectAll('probe')
    .select('region.name as regionName')
    .orderBy('probe.name')
    .execute();
  const resting = restingProbes(probes, now);
  const warnings = probes
    .filter(({ left_at: leftAt }) => leftAt === null)
    .map((probe) => {
      const who = `Probe ${probe.name.slice(0, 8)} of region "${probe.regionName}"`;
      const fault = probeFault(probe, resting);
      if (probe.seen_at < now - silentAfterMs)
        return `${who} is silent: it last reported at ${new Date(probe.seen_at).toISOString()}.`;
      return fault === null ? null : `${who} cannot check: ${fault}`;
    });
  return warnings.filter((warning) => warning !== null).slice(0, maxNamed);
}
