import { ApiError, ConnectionError, NotFoundError, TimeoutError } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import type { Seen } from './gate.ts';

/** Why the server could not be read, and how long the server asks to wait. */
export interface FailedLook {
  failed: string;
  retryAfterMs: number;
}

/** The monitors as the server returned them, or why they could not be read. */
export type Look = { monitors: Seen[] } | FailedLook;

/** The callers read again after a failure, so the client does not retry a request. */
export const lookOptions = { retries: 0, timeout: 15_000 };

/**
 * Reads monitors again: one by its id, several with the whole list. Returns the reason if the server does not answer or
 * is unavailable for now. Throws any other error, such as that of a revoked key.
 */
export async function readAgain(ids: readonly string[], { client, signal }: Server): Promise<Look> {
  const options = { signal, ...lookOptions };
  return look(async () => {
    if (ids.length > 1) return { monitors: await allMonitors({ client, signal }, options) };
    try {
      return { monitors: await Promise.all(ids.map((id) => client.monitors.get(id, options))) };
    } catch (error) {
      if (error instanceof NotFoundError) return { monitors: [] };
      throw error;
    }
  });
}

/** Returns the result of `read`, or the reason of a temporary failure. Throws any other error. */
export async function look<T>(read: () => Promise<T>): Promise<T | FailedLook> {
  try {
    return await read();
  } catch (error) {
    const failed = transient(error);
    if (!failed) throw error;
    const seconds = error instanceof ApiError ? error.retryAfter : null;
    return { failed: failed.message, retryAfterMs: (seconds ?? 0) * 1000 };
  }
}

/** Returns an error that is temporary, such as a restart of the server or a rate limit; null for any other. */
function transient(error: unknown): Error | null {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return error;
  const passes = error instanceof ApiError && (error.status >= 500 || [408, 425, 429].includes(error.status));
  return passes ? error : null;
}
