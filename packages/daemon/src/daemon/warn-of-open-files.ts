import type { Config } from '../config/config.ts';
import { configFileFault } from '../config/config-file-fault.ts';
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
  const openSecrets = configFile === undefined ? null : await configFileFault(configFile);
  if (openSecrets !== null) log.warn({ configFile }, openSecrets);
  for (const name of unknownVariables) log.warn({}, `${name} is not a setting, and is ignored.`);
}
