import { readConfig, unknownVariables } from '../config/config.ts';
import { readFlags } from '../config/serve-flags.ts';
import { serveHelp } from '../config/serve-help.ts';
import { fileLimitFault, openFilesLimit } from '../file-limit.ts';
import { limitHeapGrowth } from '../heap-growth.ts';
import { collectStartGarbage } from '../start-garbage.ts';
import { listenForSignals } from '../stop-signals.ts';
import { print } from './print.ts';

/** Time from the start until V8 limits the growth of the heap. By then, the daemon has loaded its modules. */
const limitGrowthAfterMs = 1000;

/**
 * Minimum time from the start of the server until it collects garbage. By then, each loop has run for the first time.
 */
const collectAfterMs = 5000;

/**
 * Maximum time to stop the server. Messages that are being sent have 10 s to finish; everything else takes less than
 * 2 s. A second signal aborts the messages, so from then on `maxInterruptedStopMs` is enough.
 */
const maxStopMs = 11_900;
const maxInterruptedStopMs = 1900;

/** Runs the daemon until a signal stops it. */
export async function serve(args: string[]): Promise<void> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) return print(serveHelp());
  const limit = openFilesLimit(process);
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const file = configFile === undefined ? {} : await readFrom(configFile);
  const config = readConfig({ flags, env: process.env, file });
  // Listens for signals before the start. So a signal during the start stops the daemon as soon as it has started.
  const signals = listenForSignals(process);
  const { startDaemon } = await import('../daemon.ts');
  const openFiles = typeof limit === 'number' ? limit : Infinity;
  const daemon = await startDaemon(config, {
    configFile,
    unknownVariables: unknownVariables(process.env),
    openFiles,
  });
  void collectStartGarbage(collectAfterMs);
  void limitHeapGrowth(limitGrowthAfterMs);
  await signals.stop;

  // Ends the process after `ms` even if the stop hangs.
  const exitAfter = (ms: number) => void setTimeout(() => process.exit(1), ms).unref();
  exitAfter(maxStopMs);
  void signals.interrupt.then(() => {
    daemon.interrupt();
    exitAfter(maxInterruptedStopMs);
  });
  await daemon.close();
}

/** Reads the config file. The YAML library is loaded only here, because most servers have no config file. */
async function readFrom(configFile: string): Promise<Record<string, unknown>> {
  const { readConfigFile } = await import('../config/config-file.ts');
  return readConfigFile(configFile);
}
