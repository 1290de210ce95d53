import type { Transaction } from 'kysely';
import { goneAfterMs } from '../core/absence.ts';
import { rolesFromText } from '../core/roles.ts';
import { silentAfterMs } from '../lifecycle/regions.ts';
import type { Probe, Tables } from '../store/tables.ts';

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

export const isSilent = (probe: Pick<Probe, 'seen_at'>, now: number): boolean => probe.seen_at < now - silentAfterMs;

/** After a probe reports that most of its checks give no verdict, other probes check in its place for this time. */
const restMs = 5 * 60_000;

/**
 * Returns the names of the probes that check from a region now (`checking`), in alphabetical order. `resting` are the
 * live probes that get no monitors, because most of their checks gave no verdict lately. If that is so for all live
 * probes, all of them check.
 */
export async function liveProbes(
  db: Db,
  region: number,
  now: number,
): Promise<{ checking: string[]; resting: string[] }> {
  const rows = await db
    .selectFrom('probe')
    .select(['name', 'failed_at'])
    .where('region', '=', region)
    .where('seen_at', '>=', now - silentAfterMs)
    .orderBy('name')
    .execute();
  const hasFailed = ({ failed_at: failedAt }: (typeof rows)[number]) => failedAt !== null && failedAt > now - restMs;
  const [failed, working] = [rows.filter(hasFailed), rows.filter((row) => !hasFailed(row))];
  const names = (probes: typeof rows) => probes.map(({ name }) => name);
  return working.length === 0
    ? { checking: names(failed), resting: [] }
    : { checking: names(working), resting: names(failed) };
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
