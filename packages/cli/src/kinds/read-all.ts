import type { Uptime } from '@uptime/sdk';
import { CliError } from '../exit.ts';
import { isUnknownRoute } from '../is-unknown-route.ts';
import type { Kind, Remote } from './kind.ts';

/**
 * Reads every resource of a kind. Throws if it cannot read all of them: it never returns only a part. Throws a CliError
 * if the server does not support the kind.
 */
export async function readAll(kind: Kind, client: Uptime, signal: AbortSignal): Promise<Remote[]> {
  const read = await readIfKnown(kind, client, signal);
  if ('remotes' in read) return read.remotes;
  throw new CliError(`this server does not support ${kind.many} (HTTP ${read.unknown}); nothing was changed`, {
    next: `leave \`${kind.list}\` out of the manifest, or update the server`,
  });
}

/** Like {@link readAll}, but returns the HTTP status if the server does not support the kind. */
export async function readIfKnown(
  kind: Kind,
  client: Uptime,
  signal: AbortSignal,
): Promise<{ remotes: Remote[] } | { unknown: number }> {
  const remotes: Remote[] = [];
  try {
    for await (const remote of kind.collection(client).iterate({ limit: 1000 }, { signal })) remotes.push(remote);
  } catch (error) {
    if (isUnknownRoute(error)) return { unknown: error.status };
    throw error;
  }
  return { remotes };
}
