import type { Config } from '../config/config.ts';
import { dataDirFault } from '../data-dir.ts';
import type { Logger } from '../deps.ts';
import type { Overrides } from './overrides.ts';

/** Warns of files that others may read, and of variables that look like settings. */
export async function warnOfOpenFiles(
  log: Logger,
  { dataDir }: Pick<Config, 'dataDir'>,
  { configFile, unknownVariables = [] }: Pick<Overrides, 'configFile' | 'unknownVariables'>,
): Promise<void> {
  const openToOthers = await dataDirFault(dataDir);
  if (openToOthers !== null) log.warn({ dataDir }, openToOthers);
  const openSecrets = configFile === undefined ? null : await faultOf(configFile);
  if (openSecrets !== null) log.warn({ configFile }, openSecrets);
  for (const name of unknownVariables) log.warn({}, `${name} is not a setting, and is ignored.`);
}

/** Imports the YAML reader here, so that a start without a config file does not load it. */
async function faultOf(configFile: string): Promise<string | null> {
  const { configFileFault } = await import('../config/config-file-fault.ts');
  return configFileFault(configFile);
}
