import { rolesFromText, unservedRoles } from '../core/roles.ts';
import type { Store } from '../store/store.ts';
import { silentAfterMs, unservedAfterMs } from './regions.ts';

/** A node without a sign of life for this time has left its roles. */
const goneAfterMs = 10_000;
/** The most regions, and the most probes, that are named. Tenants invent names of regions, so there may be thousands. */
const mostNamed = 20;

/** Warnings about roles, regions and probes that do not work now. It reads only the store. */
export async function servingWarnings(store: Store, now: number): Promise<string[]> {
  return [
    ...(await roleWarnings(store, now)),
    ...(await regionWarnings(store, now)),
    ...(await probeWarnings(store, now)),
  ];
}

/** Roles that no node of the installation has now. */
async function roleWarnings(store: Store, now: number): Promise<string[]> {
  if (store.dialect.exclusive) return [];
  const nodes = await store.db
    .selectFrom('presence')
    .select('roles')
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - goneAfterMs)
    .execute();
  return unservedRoles(nodes.map(({ roles }) => ({ roles: rolesFromText(roles) })));
}

/** Regions that monitors use and no daemon or probe serves. */
async function regionWarnings(store: Store, now: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('schedule')
    .innerJoin('region', 'region.id', 'schedule.region')
    .select(['region.name', store.db.fn.countAll<number>().as('monitors')])
    .where('region.seen_at', '<', now - unservedAfterMs)
    .groupBy('region.name')
    .orderBy('region.name')
    .limit(mostNamed)
    .execute();
  return rows.map(
    (row) => `No daemon or probe checks from region "${row.name}", and ${row.monitors} monitor(s) use it.`,
  );
}

/**
 * Probes that crashed or were cut off, and probes that cannot check. A probe that was stopped on purpose is left out.
 */
async function probeWarnings(store: Store, now: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('probe')
    .innerJoin('region', 'region.id', 'probe.region')
    .select(['probe.name', 'region.name as region', 'probe.seen_at', 'probe.fault'])
    .where('probe.left_at', 'is', null)
    .where((row) => row.or([row('probe.seen_at', '<', now - silentAfterMs), row('probe.fault', 'is not', null)]))
    .orderBy('probe.name')
    .limit(mostNamed)
    .execute();
  return rows.map(({ name, region, seen_at: seenAt, fault }) => {
    const who = `Probe ${name.slice(0, 8)} of region "${region}"`;
    if (seenAt < now - silentAfterMs) return `${who} is silent: it last reported at ${new Date(seenAt).toISOString()}.`;
    return `${who} cannot check: ${fault}`;
  });
}
