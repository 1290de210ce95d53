import { readProbe } from '../../packages/daemon/src/probe/read-probe.ts';
import { runProbe } from '../../packages/daemon/src/probe/run-probe.ts';

/**
 * Runs a probe in this network namespace, like `uptimed probe`. The argument of this program has the environment
 * variables of the probe as JSON.
 */
const env = JSON.parse(process.argv[2]!) as Record<string, string>;
const read = await readProbe([], { env, stdin: process.stdin });
const probe = await runProbe(read!, Infinity);
process.send?.('ready');
await probe.refused;
