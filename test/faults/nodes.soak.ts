import { describe, test } from 'vitest';
import { type NodeFault, nodesUnderFaults } from './nodes-under-faults.ts';

/** The size of the run: 1 is 20,000 monitors for 10 minutes. `SOAK_SCALE=0.1` is enough for a small machine. */
const scale = Number(process.env['SOAK_SCALE'] ?? 1);
const everyMs = 30_000;
const faults = Math.max(3, Math.round(20 * scale));
const kinds: readonly NodeFault[] = ['freeze', 'cut', 'kill'];

describe.each([2, 3, 4])('%i nodes on one PostgreSQL', (nodes) => {
  test.each<[string, (at: number) => NodeFault]>([
    ['killed', () => 'kill'],
    ['frozen, cut off or killed', (at) => kinds[at % kinds.length]!],
  ])('although a node is %s every 30 s, no check and no alarm is lost or repeated', async (_, kindOf) => {
    const figures = await nodesUnderFaults({
      nodes,
      monitors: Math.round(20_000 * scale),
      intervalSeconds: 60 * Math.max(0.5, scale),
      flapping: 40,
      faults: Array.from({ length: faults }, (_, at) => kindOf(at)),
      everyMs,
      awayMs: 20_000,
    });
    console.log(JSON.stringify({ nodes, ...figures }));
  });
});
