import { isDeepStrictEqual } from 'node:util';
import type { NormalMonitor } from '@uptime/sdk/contract';
import { ServiceError } from '../../errors.ts';
import { unreadableText } from '../../stored-monitors/monitor-secrets.ts';
import type { SealedFields } from '../../stored-monitors/stored-monitor.ts';
import { isObject } from '../merge-patch.ts';

/** A patch, and the monitor that it changes. This monitor has secrets that cannot be decrypted. */
interface Patching {
  before: NormalMonitor;
  patch: unknown;
  /**
   * Whether the patch is a whole response of the API that the client sent back. If so, a field that the client did not
   * change counts as left out.
   */
  isRead: boolean;
}

/**
 * Returns the undecryptable secrets whose fields the patch leaves out. These secrets stay in the store unchanged.
 * Throws `conflict` if the patch sets some headers but leaves out others that cannot be decrypted.
 */
export function keptSecrets(unreadable: SealedFields, { before, patch, isRead }: Patching): SealedFields {
  if (!isObject(patch)) return unreadable;
  const shown: Partial<Record<string, unknown>> = { ...before };
  const kept = Object.entries(unreadable).filter(
    ([field]) => patch[field] === undefined || (isRead && isDeepStrictEqual(patch[field], shown[field])),
  );
  for (const field of Object.keys(unreadable)) {
    const [stored, sent] = [shown[field], patch[field]];
    if (kept.some(([name]) => name === field) || !isObject(stored) || !isObject(sent)) continue;
    const given = new Set(Object.keys(sent).map((name) => name.toLowerCase()));
    const lost = Object.keys(stored).filter((name) => !given.has(name.toLowerCase()));
    if (lost.length === 0) continue;
    const advice = `Send a value or null for ${lost.join(', ')} too.`;
    throw new ServiceError('conflict', `${unreadableText(before.type, [field])} ${advice}`);
  }
  return Object.fromEntries(kept);
}
