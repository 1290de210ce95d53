import { stat } from 'node:fs/promises';
import { shellWord } from '../shell-word.ts';
import { readConfigFile } from './config-file.ts';
import { type Setting, settings } from './settings.ts';

const worldReadable = 0o004;

/**
 * Describes what is wrong with the mode of a config file. Null if the file holds no secret, or if only some users of
 * the machine may read it. The group of the file may read it, because the daemon may belong to that group on purpose.
 */
export async function configFileFault(path: string): Promise<string | null> {
  const { mode } = await stat(path);
  if ((mode & worldReadable) === 0) return null;
  const secrets = Object.entries(await readConfigFile(path)).filter(isSecret);
  if (secrets.length === 0) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  const names = secrets.map(([name]) => name).join(', ');
  return `The config file holds secrets (${names}), and every user of this machine may read it (mode ${octal}). Run \`chmod 600 ${shellWord(path)}\`.`;
}

function isSecret([given, value]: [string, unknown]): boolean {
  const all: Record<string, Setting<unknown>> = settings;
  const found = all[given] ?? Object.values(all).find(({ env }) => env === given);
  if (!found || typeof value !== 'string') return false;
  // An address is a secret if it carries a password.
  return found.secret === true || Boolean(URL.parse(value)?.password);
}
