import { ApiError, ConnectionError, NotFoundError, TimeoutError } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import type { Seen } from './gate.ts';

/** The result of a read with a temporary error: the reason, and how long the server asks to wait. */
export interface FailedLook {
  failed: string;
  retryAfterMs: number;
}

/** The result of a read: the monitors, or why they could not be read. */
export type Look = { monitors: Seen[] } | FailedLook;

/** The caller reads again after a failure. So the client itself does not retry. */
export const lookOptions = { retries: 0, timeout: 15_000 };

/**
 * Reads monitors again. A single monitor is read by its id; several monitors are read with the list of all monitors. If
 * a temporary error occurs, such as no answer, returns the reason. Throws any other error, for example if the key was
 * revoked.
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

/** Returns the result of `read`. If the error of `read` is temporary, returns the reason. Throws any other error. */
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

/**
 * Returns the error if it is temporary, as during a restart of the server or after a rate limit; null for any other
 * error.
 */
function transient(error: unknown): Error | null {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return error;
  const passes = error instanceof ApiError && (error.status >= 500 || [408, 425, 429].includes(error.status));
  return passes ? error : null;
}
