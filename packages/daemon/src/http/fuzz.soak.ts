import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fuzz } from '../testing/fuzz.ts';
import { createFuzzedDaemon } from '../testing/fuzzed-daemon.ts';

/** Returns the bytes of the heap that remain after garbage collection. */
function livingBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const total = 100_000;
/** After this many requests all caches are full and all code is compiled. */
const warm = 20_000;
const mayGrow = 16 * 1024 * 1024;
/** Maximum processor time of one turn of the event loop. */
const maxTurnMs = 50;

test('100,000 generated requests cause no server error, leak no memory, and hold the event loop for 50 ms at most', async () => {
  const seed = Number(process.env['UPTIME_FUZZ_SEED'] ?? Date.now() % 1e9);
  const daemon = await createFuzzedDaemon();
  try {
    const stranger = await daemon.another('stranger');
    let baseline = Number.NaN;
    const onProgress = (sent: number) => {
      if (sent === warm) baseline = livingBytes();
    };
    const { statuses, faults, longestTurn } = await fuzz(daemon, { requests: total, seed, stranger, onProgress });
    const grown = livingBytes() - baseline;
    const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `seed ${seed}; ${answers.join(', ')}; heap ${(grown / 1024 / 1024).toFixed(1)} MiB beyond its baseline; ` +
        `longest turn ${longestTurn.ms.toFixed(1)} ms of processor time, by ${longestTurn.request}`,
    );
    expect(faults).toEqual([]);
    expect(grown).toBeLessThan(mayGrow);
    expect(longestTurn.ms, longestTurn.request).toBeLessThan(maxTurnMs);
  } finally {
    await daemon.close();
  }
});
