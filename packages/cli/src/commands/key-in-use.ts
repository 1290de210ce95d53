import { ApiError, type CurrentKey, type Uptime } from '@uptime/sdk';
import { plain } from '../output.ts';

/** The HTTP statuses that a server returns for a route that it does not know. */
const unknownRoute = [400, 403, 404, 405, 501];

/** Reads the scope and expiry of the client's key. Returns null if the server has no scopes. */
export async function keyInUse(client: Uptime, signal: AbortSignal): Promise<CurrentKey | null> {
  try {
    return await client.projects.keys.current({ signal });
  } catch (error) {
    if (error instanceof ApiError && unknownRoute.includes(error.status)) return null;
    throw error;
  }
}

/**
 * Returns a description of a key that was created for a machine, such as `key "ci" with the scope read, until 2030-…`.
 * Returns null for the project's own key.
 */
export function describeKey(key: CurrentKey | null): string | null {
  if (key === null || key.id === null) return null;
  const until = key.expiresAt === null ? '' : `, until ${plain(key.expiresAt)}`;
  return `key ${JSON.stringify(plain(key.name ?? ''))} with the scope ${plain(key.scope)}${until}`;
}
