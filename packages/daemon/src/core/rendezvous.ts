import { hashText } from './hash-text.ts';

/**
 * Returns which of several probes checks a monitor, by rendezvous hashing: each probe's name is hashed together with
 * the monitor, and the probe with the highest hash is chosen. So all servers choose the same probe. If a probe
 * comes or goes, only the monitors of that probe move. Returns null without probes.
 */
export function chooseProbe(monitor: number, probes: readonly string[]): string | null {
  let best: string | null = null;
  let highest = -1;
  for (const probe of probes) {
    const weight = hashText(`${probe} ${monitor}`);
    if (weight < highest || (weight === highest && best !== null && probe > best)) continue;
    [best, highest] = [probe, weight];
  }
  return best;
}
