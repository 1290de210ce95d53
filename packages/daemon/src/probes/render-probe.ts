import type { probe, probeToken } from '@uptime/sdk/contract';
import type { z } from 'zod';
import { probeFault } from '../lifecycle/resting-probes.ts';
import type { Probe } from '../store/tables.ts';
import { isSilent, type KnownToken } from './known-probes.ts';

/** Returns a probe as the API shows it. `resting` are the names of the probes that rest: see `restingProbes`. */
export const renderProbe = (row: Probe, now: number, resting: ReadonlySet<string>): z.output<typeof probe> => ({
  name: row.name,
  version: row.version,
  live: !isSilent(row, now),
  lastSeenAt: new Date(row.seen_at).toISOString(),
  leftAt: row.left_at === null ? null : new Date(row.left_at).toISOString(),
  queued: row.queued,
  lagSeconds: row.oldest_at === null ? 0 : Math.max(0, Math.round((row.seen_at - row.oldest_at) / 1000)),
  clockSkewSeconds: row.skew_ms === null ? null : row.skew_ms / 1000,
  fault: probeFault(row, resting),
});

/** Returns a token as the API shows it: with its probes, but without its text. */
export const renderToken = (
  token: KnownToken,
  now: number,
  resting: ReadonlySet<string>,
): z.output<typeof probeToken> => ({
  id: token.id,
  region: token.region,
  createdAt: new Date(token.createdAt).toISOString(),
  probes: token.probes.map((row) => renderProbe(row, now, resting)),
});
