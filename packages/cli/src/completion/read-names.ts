import { join } from 'node:path';
import type { Context } from '../context.ts';
import { readSettings, settingsDir, settingsFileName } from '../settings.ts';
import { readCache, writeCache } from './name-cache.ts';

/** The kinds of resources whose names can be completed. */
export type NamedResource =
  'monitors' | 'heartbeats' | 'channels' | 'rules' | 'pages' | 'incidents' | 'windows' | 'regions';

/** How long completion waits for the server after a key press. A longer wait would block the shell. */
const timeoutMs = 1000;
/** Maximum number of names that are read. No one chooses from a longer list. */
const maxNames = 1000;

/**
 * Returns the words that name each resource, such as its key and its name, from the server or from the cache. Returns
 * an empty list if no one is logged in, or if the server does not answer in time.
 */
export async function readNames(of: NamedResource, context: Context): Promise<string[][]> {
  try {
    const { apiKey, siteUrl } = context.settings({});
    if (!apiKey) return [];
    const owner = `${siteUrl.value} ${apiKey.value} ${of}`;
    const cached = readCache(owner, context.env, Date.now());
    if (cached) return cached;
    const names = await askServer(of, context);
    tryToCache(owner, names, context);
    return names;
  } catch {
    // A message would destroy the line that the user is typing. Without names, the shell completes nothing.
    return [];
  }
}

/** Caches names for the next key press. If that fails, the next key press asks the server again. */
function tryToCache(owner: string, names: readonly string[][], { env }: Pick<Context, 'env'>): void {
  try {
    writeCache(owner, names, env);
  } catch {
    // The folder of settings may be read-only, or another shell may write the cache at the same moment.
  }
}

async function askServer(of: NamedResource, context: Context): Promise<string[][]> {
  const client = await context.connect({});
  const options = { timeout: timeoutMs, retries: 0, signal: AbortSignal.timeout(timeoutMs) };
  const page = { limit: maxNames };
  if (of === 'channels') return (await client.channels.list(page, options)).map(namesOf);
  if (of === 'rules') return (await client.alertRules.list(page, options)).map(namesOf);
  if (of === 'pages') return (await client.statusPages.list(page, options)).map((one) => [one.slug, ...namesOf(one)]);
  if (of === 'regions') return (await client.regions.list(options)).map(({ name }) => [name]);
  if (of === 'incidents' || of === 'windows') {
    const incidents = await client.incidents.list(page, options);
    return incidents.filter(({ maintenance }) => of === 'incidents' || maintenance).map(({ title }) => [title]);
  }
  const monitors = await client.monitors.list(page, options);
  if (of === 'monitors') return monitors.map(namesOf);
  const { isPassive } = await import('@uptime/sdk/contract');
  return monitors.filter((monitor) => isPassive(monitor)).map(namesOf);
}

const namesOf = ({ key, name }: { key?: string | null; name: string }): string[] => (key ? [key, name] : [name]);

/** Reads the names of the profiles in the settings file. Returns an empty list if the file cannot be read. */
export function readProfileNames(env: Context['env']): string[] {
  try {
    return Object.keys(readSettings(join(settingsDir(env), settingsFileName)).profiles ?? {});
  } catch {
    return [];
  }
}
