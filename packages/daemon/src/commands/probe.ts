import { fileLimitFault, openFilesLimit } from '../file-limit.ts';
import { listenForSignals } from '../stop-signals.ts';
import { print } from './print.ts';

/** Maximum time to stop a probe. The probe has 3 s to send its waiting results; everything else takes less than 3 s. */
const maxStopMs = 7000;

/** Runs a probe until a signal stops it, or until the server refuses it. */
export async function probe(args: string[]): Promise<void> {
  const { probeHelp, readProbe } = await import('../probe/read-probe.ts');
  const read = await readProbe(args, { env: process.env, stdin: process.stdin });
  if (read === null) return print(probeHelp);
  const limit = openFilesLimit(process);
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const signals = listenForSignals(process);
  const { setFlagsFromString } = await import('node:v8');
  // A probe often runs on a small machine. A probe allocates little, so a small heap costs no time.
  for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1']) setFlagsFromString(flag);
  const { runProbe } = await import('../probe/run-probe.ts');
  const running = await runProbe(read, typeof limit === 'number' ? limit : Infinity);
  const stopped = signals.stop.then(() => null);
  try {
    await Promise.race([stopped, running.refused]);
  } finally {
    setTimeout(() => process.exit(1), maxStopMs).unref();
    await running.close();
  }
}
