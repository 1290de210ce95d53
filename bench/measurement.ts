/** One measured number, and its limit. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** The limit: a rate has to be at least `minValue`, and a cost at most `maxValue`. */
  bar?: { minValue: number } | { maxValue: number };
  /** The figures from which `value` is computed. */
  detail: string;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Returns the CPU time of this process during `work` in microseconds, divided by the count that `work` returns. */
export async function cpuPerUnit(work: () => Promise<number>): Promise<number> {
  const from = process.cpuUsage();
  const units = await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / units;
}

/**
 * Returns the median ratio of two costs. The two are measured alternately, so that a machine that becomes slower
 * affects both.
 */
export async function ratioOf(rounds: number, ours: () => Promise<number>, theirs: () => Promise<number>) {
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ theirs: await theirs(), ours: await ours() });
  return {
    ratio: median(pairs.map((pair) => pair.ours / pair.theirs)),
    ours: median(pairs.map((pair) => pair.ours)),
    theirs: median(pairs.map((pair) => pair.theirs)),
  };
}

/** Prints each measurement on a line, and whether it is within its limit. Returns how many are outside their limits. */
export function report(measurements: readonly Measurement[]): number {
  let missed = 0;
  for (const { name, value, unit, bar, detail } of measurements) {
    const kept = !bar || ('minValue' in bar ? value >= bar.minValue : value <= bar.maxValue);
    if (!kept) missed += 1;
    const limit = !bar ? '' : 'minValue' in bar ? `at least ${bar.minValue}` : `at most ${bar.maxValue}`;
    console.log(`${kept ? ' ok ' : 'MISS'}  ${name}: ${value.toFixed(2)} ${unit}${limit && ` (${limit})`} - ${detail}`);
  }
  return missed;
}
