import type { Config } from '../config/config.ts';
import { dataDirFault } from '../data-dir.ts';
import type { Logger } from '../deps.ts';
import type { Overrides } from './overrides.ts';

/**
 * Logs a warning if other users may read the data folder or the secrets in the config file. Also warns of each variable
 * that looks like a setting but is not.
 */
export async function warnOfOpenFiles(
  log: Logger,
  { dataDir }: Pick<Config, 'dataDir'>,
  { configFile, unknownVariables = [] }: Pick<Overrides, 'configFile' | 'unknownVariables'>,
): Promise<void> {
  const openToOthers = dataDirFault(dataDir);
  if (openToOthers !== null) log.warn({ dataDir }, openToOthers);
  const openSecrets = configFile === undefined ? null : await faultOf(configFile);
  if (openSecrets !== null) log.warn({ configFile }, openSecrets);
  for (const name of unknownVariables) log.warn({}, `${name} is not a setting, and is ignored.`);
}

/**
 * Returns what is wrong with the file mode of the config file; null if nothing is wrong. The YAML reader is imported
 * only here, so that a start without a config file does not load it.
 */
async function faultOf(configFile: string): Promise<string | null> {
  const { configFileFault } = await import('../config/config-file-fault.ts');
  return configFileFault(configFile);
}
