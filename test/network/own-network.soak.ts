import { expect, test } from 'vitest';
import { networkFaults } from './faults.ts';
import { tryFault } from './try-fault.ts';
import { createWorld } from './world.ts';

const runs = 20;
const [interval, timeout] = [1, 1];
const boundMs = (interval + timeout + 2) * 1000;
const worlds = Array.from({ length: 8 }, (_, world) => world % 2 === 0);

test(`${runs} repetitions of each network fault cause no false alarm and hide no outage, with and without a bridge`, async () => {
  const outcome = await Promise.all(
    worlds.map(async (withBridge) => {
      await using world = await createWorld({ checker: 'daemon', withBridge, interval, timeout });
      const found = [];
      for (let run = 0; run < (2 * runs) / worlds.length; run++)
        for (const fault of networkFaults) {
          const one = await tryFault(world, fault, { boundMs, lastsMs: 3000 });
          found.push({ fault: fault.name, withBridge, ...one });
        }
      return found;
    }),
  );
  const all = outcome.flat();
  const detectedMs = all.flatMap((one) => one.detectedMs).toSorted((a, b) => a - b);
  const middle = detectedMs[Math.floor(detectedMs.length / 2)];
  console.log(`${all.length} faults, outages reported after ${middle} ms (median), ${detectedMs.at(-1)} ms at most`);
  expect(all).toHaveLength(2 * runs * networkFaults.length);
  const isWrong = ({ falseAlarms, storedFailures, reported }: (typeof all)[number]) =>
    falseAlarms.length > 0 || storedFailures.length > 0 || !reported;
  expect(all.filter(isWrong)).toEqual([]);
});
