import type { Monitor, Region, Uptime } from '@uptime/sdk';
import { isPassive, nearest } from '@uptime/sdk/contract';
import type { Server } from '../connection.ts';
import { isUnknownRoute } from '../is-unknown-route.ts';
import { relative } from '../times.ts';

/** Reads the regions of a server. Returns null if the server cannot list regions. */
export async function readRegions(client: Uptime, signal: AbortSignal): Promise<Region[] | null> {
  try {
    return await client.regions.list({ signal });
  } catch (error) {
    if (isUnknownRoute(error)) return null;
    throw error;
  }
}

/** Returns why no check runs for monitors that name no regions. Returns null if at least one region is served. */
export function noRegionReason(regions: readonly Region[]): string | null {
  if (regions.some(({ served }) => served)) return null;
  return 'no daemon or probe serves any region now, so no check runs for monitors that name no region';
}

/** Returns why no check runs from a region, with a suggestion. Returns null for a region that is served. */
export function unservedReason(name: string, regions: readonly Region[], now: number): string | null {
  const known = regions.find((region) => region.name === name);
  if (known?.served) return null;
  const served = regions.filter((region) => region.served).map((region) => region.name);
  if (known)
    return `no daemon or probe serves the region "${name}" now; it was last served ${relative(known.lastSeenAt, now)}`;
  const meant = nearest(name, served);
  const hint = meant ? `did you mean "${meant}"?` : `the served regions are: ${served.join(', ') || 'none'}`;
  return `no daemon or probe serves the region "${name}", so no check runs from there; ${hint}`;
}

/**
 * Returns why no check runs from regions of a monitor. If the monitor names no regions, returns a reason only if no
 * region is served at all. A monitor that is paused, or only waits for pings, needs no region.
 */
export async function unservedReasons(monitor: Monitor, { client, signal }: Server): Promise<string[]> {
  const serverRegions = monitor.paused || isPassive(monitor) ? null : await readRegions(client, signal);
  if (serverRegions === null) return [];
  const named = monitor.regions ?? [];
  const reasons =
    named.length === 0
      ? [noRegionReason(serverRegions)]
      : named.map((region) => unservedReason(region, serverRegions, Date.now()));
  return reasons.filter((reason) => reason !== null);
}
