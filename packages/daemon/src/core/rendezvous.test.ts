import { expect, test } from 'vitest';
import { chooseProbe } from './rendezvous.ts';

const monitors = Array.from({ length: 3000 }, (_, at) => at + 1);
const shares = (probes: string[]) => Map.groupBy(monitors, (monitor) => chooseProbe(monitor, probes));

test('probes share the monitors about evenly, whatever the order of the probes is', () => {
  const three = shares(['a', 'b', 'c']);
  for (const probe of ['a', 'b', 'c']) expect(three.get(probe)!.length).toBeGreaterThan(850);
  for (const monitor of monitors.slice(0, 100))
    expect(chooseProbe(monitor, ['c', 'a', 'b'])).toBe(chooseProbe(monitor, ['a', 'b', 'c']));
});

test('if a probe leaves, only the monitors of that probe move to another probe', () => {
  for (const monitor of monitors) {
    const before = chooseProbe(monitor, ['a', 'b', 'c']);
    if (before !== 'c') expect(chooseProbe(monitor, ['a', 'b'])).toBe(before);
  }
  expect(chooseProbe(1, [])).toBeNull();
});
