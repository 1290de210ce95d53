import type { Sent } from './channel.ts';

/**
 * Returns the result of a channel whose provider the operator has not configured. The result is final, and names the
 * missing settings.
 */
export function unset(settings: Record<string, string | null>): Sent {
  const missing = Object.keys(settings).filter((name) => settings[name] === null);
  const text = `The operator of this server has not set ${new Intl.ListFormat('en').format(missing)}.`;
  return { ok: false, retry: false, retryAfterMs: null, status: null, text };
}
