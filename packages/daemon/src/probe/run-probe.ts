import packageJson from '../../package.json' with { type: 'json' };
import { systemClock } from '../deps.ts';
import { createProcessLog } from '../log.ts';
import { createSteadyClock } from '../steady-clock.ts';
import type { ReadProbe } from './read-probe.ts';
import { type Probe, startProbe } from './start-probe.ts';

/** Starts the probe that this process runs. */
export async function runProbe(read: ReadProbe, openFiles: number): Promise<Probe> {
  const { url, isPlain, token, dataDir, config, ownTargets } = read;
  const log = createProcessLog(config.logLevel, config.logFormat);
  const clock = createSteadyClock(systemClock);
  if (isPlain) log.warn({ url }, 'the token and the secrets of monitors travel unencrypted: use https where you can');
  const { version } = packageJson;
  const probe = await startProbe(
    { clock, log, random: Math.random },
    { url, token, dataDir, version, config, ownTargets, openFiles },
  );
  log.info({ probe: probe.name, url, dataDir, version }, 'checking');
  return probe;
}
