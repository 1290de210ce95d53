import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError } from './config.ts';

/** Parses the flags of a command. Throws a ConfigError with the first sentence of Node's message. */
export function parseFlags<T extends ParseArgsConfig>(given: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(given);
  } catch (error) {
    throw new ConfigError((error as Error).message.split('. ')[0]!.replace(/\.?$/, '.'));
  }
}
