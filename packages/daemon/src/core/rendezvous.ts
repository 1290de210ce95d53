/**
 * Returns which of several probes checks a monitor, by rendezvous hashing. It is the probe whose name, hashed together
 * with the monitor, has the highest hash. So all servers choose the same probe. If a probe comes or goes, only the
 * monitors of that probe move. Returns null without probes.
 */
export function chooseProbe(monitor: number, probes: readonly string[]): string | null {
  let best: string | null = null;
  let highest = -1;
  for (const probe of probes) {
    const weight = hash(`${probe} ${monitor}`);
    if (weight < highest || (weight === highest && best !== null && probe > best)) continue;
    [best, highest] = [probe, weight];
  }
  return best;
}

/** FNV-1a with a final mix, so that numbers that differ in one digit get unrelated hashes. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
