import type { Context } from '../context.ts';
import { readCache, writeCache } from './name-cache.ts';

/** Resources whose names are completed. */
export type NamedResource = 'monitors' | 'heartbeats' | 'channels' | 'pages';

/** Longest wait for the server after a key press. */
const timeoutMs = 1000;
/** A longer list helps no one. */
const mostNames = 1000;

/**
 * Reads the keys or names of resources from the server, or from the cache. Returns an empty list without a login, or if
 * the server does not answer in time.
 */
export async function readNames(of: NamedResource, context: Context): Promise<string[]> {
  try {
    const { apiKey, siteUrl } = context.settings({});
    if (!apiKey) return [];
    const owner = `${siteUrl.value} ${apiKey.value} ${of}`;
    const known = readCache(owner, context.env, Date.now());
    if (known) return known;
    const names = await askServer(of, context);
    writeCache(owner, names, context.env);
    return names;
  } catch {
    // Someone is typing: a message would destroy the line. Without names, the shell completes nothing.
    return [];
  }
}

async function askServer(of: NamedResource, context: Context): Promise<string[]> {
  const client = await context.connect({});
  const options = { timeout: timeoutMs, retries: 0, signal: AbortSignal.timeout(timeoutMs) };
  const page = { limit: mostNames };
  if (of === 'channels') return (await client.channels.list(page, options)).map(nameOf);
  if (of === 'pages') return (await client.statusPages.list(page, options)).map(({ slug }) => slug);
  const monitors = await client.monitors.list(page, options);
  if (of === 'monitors') return monitors.map(nameOf);
  const { isPassive } = await import('@uptime/sdk/contract');
  return monitors.filter((monitor) => isPassive(monitor)).map(nameOf);
}

const nameOf = ({ key, name }: { key?: string | null; name: string }): string => key ?? name;
