import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { ConfigError } from './config.ts';

/** Reads the settings of a YAML or JSON file, by name. Throws a {@link ConfigError} that names the file. */
export async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The config file ${path} can't be read: ${(error as Error).message}`);
  }
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) throw new ConfigError(`The config file ${path} is neither YAML nor JSON: ${fault.message}`);
  const value: unknown = document.toJS();
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ConfigError(`The config file ${path} must hold settings by name, such as \`port: 3000\`.`);
  }
  return value as Record<string, unknown>;
}
