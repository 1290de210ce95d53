import { regionName, validate } from '@uptime/sdk/contract';
import { ServiceError } from '../errors.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import { probeFault } from '../lifecycle/resting-probes.ts';
import { isServedByDaemon, isSilent, type KnownToken } from '../probes/known-probes.ts';
import { addProbeToken, type NewProbeToken, revokeProbeToken } from '../probes/tokens.ts';
import type { Store } from '../store/store.ts';
import type { Probe } from '../store/tables.ts';
import { AdminError } from './users.ts';

/**
 * Makes a probe token for a region. Throws AdminError for an invalid name, or if a daemon itself checks from that
 * region.
 */
export async function addRegionToken(store: Store, of: { region: string; now: number }): Promise<NewProbeToken> {
  const { region, now } = of;
  const valid = validate(regionName, region);
  if (!valid.ok) throw new AdminError(`The region ${valid.faults[0]!.message}.`);
  return store.write(async (trx) => {
    if (await isServedByDaemon(trx, await regionNumber(trx, region), now))
      throw new AdminError(`The daemon itself checks from ${region}. Choose another region for the probe.`);
    return addProbeToken(trx, region, now);
  });
}

/** Revokes a token. Throws AdminError if it does not exist. */
export async function revokeToken(store: Store, id: string): Promise<void> {
  try {
    await revokeProbeToken(store, id);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new AdminError(`There is no token ${id}. \`uptimed admin probes list\` lists the tokens.`);
  }
}

/**
 * Returns a token and its probes as lines for a terminal. `resting` are the names of the probes that rest: see
 * `restingProbes`.
 */
export function tokenLines(
  { id, region, createdAt, probes }: KnownToken,
  now: number,
  resting: ReadonlySet<string>,
): string {
  const head = `${id}  ${region}  since ${new Date(createdAt).toISOString().slice(0, 10)}`;
  if (probes.length === 0) return `${head}  no probe has joined yet`;
  const lines = probes.map((probe) => {
    const waiting = probe.queued === 0 ? '' : `  ${probe.queued} results not sent yet`;
    // The fault of a probe that was stopped on purpose needs no attention.
    const fault = probe.left_at === null ? probeFault(probe, resting) : null;
    return `  ${probe.name}  ${probe.version}  ${stateOf(probe, now)}${waiting}${fault === null ? '' : `  ${fault}`}`;
  });
  return [head, ...lines].join('\n');
}

function stateOf(probe: Probe, now: number): string {
  if (probe.left_at !== null) return `stopped at ${new Date(probe.left_at).toISOString()}`;
  return isSilent(probe, now) ? `silent since ${new Date(probe.seen_at).toISOString()}` : 'live';
}
