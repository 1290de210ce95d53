import type { Transaction } from 'kysely';
import { goneAfterMs } from '../core/absence.ts';
import { rolesFromText } from '../core/roles.ts';
import { silentAfterMs } from '../lifecycle/regions.ts';
import { restingProbes } from '../lifecycle/resting-probes.ts';
import type { Probe, Tables } from '../store/tables.ts';

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

export const isSilent = (probe: Pick<Probe, 'seen_at'>, now: number): boolean => probe.seen_at < now - silentAfterMs;

/**
 * Returns the names of the probes that check from a region now (`checking`), in alphabetical order. `resting` are the
 * live probes that get no monitors, because most of their checks gave no verdict lately. If no live probe
 * works, `resting` is empty, and all live probes check.
 */
export async function liveProbes(
  db: Db,
  region: number,
  now: number,
): Promise<{ checking: string[]; resting: string[] }> {
  const rows = await db
    .selectFrom('probe')
    .select(['name', 'region', 'seen_at', 'failed_at'])
    .where('region', '=', region)
    .where('seen_at', '>=', now - silentAfterMs)
    .orderBy('name')
    .execute();
  const rests = restingProbes(rows, now);
  const names = rows.map(({ name }) => name);
  return { checking: names.filter((name) => !rests.has(name)), resting: [...rests] };
}

/**
 * Whether a daemon itself checks from a region now. If so, no probe checks from that region, so that no check runs
 * twice.
 */
export async function isServedByDaemon(db: Db, region: number, now: number): Promise<boolean> {
  const nodes = await db
    .selectFrom('presence')
    .select('roles')
    .where('region', '=', region)
    .where('ended_at', 'is', null)
    .where('alive_at', '>=', now - goneAfterMs)
    .execute();
  return nodes.some(({ roles }) => rolesFromText(roles).includes('checker'));
}

/** A token with the probes that joined with it. */
export interface KnownToken {
  id: string;
  region: string;
  createdAt: number;
  probes: Probe[];
}

/** Returns every token, the oldest first. */
export async function listProbeTokens(db: Db): Promise<KnownToken[]> {
  const tokens = await db
    .selectFrom('probe_token')
    .innerJoin('region', 'region.id', 'probe_token.region')
    .select(['probe_token.id', 'region.name as region', 'probe_token.created_at as createdAt'])
    .orderBy('probe_token.id')
    .execute();
  const probes = await db.selectFrom('probe').selectAll().orderBy('name').execute();
  return tokens.map((token) => ({ ...token, probes: probes.filter((probe) => probe.token === token.id) }));
}
