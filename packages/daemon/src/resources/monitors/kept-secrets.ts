import { isDeepStrictEqual } from 'node:util';
import type { NormalMonitor } from '@uptime/sdk/contract';
import { ServiceError } from '../../errors.ts';
import { unreadableText } from '../../stored-monitors/monitor-secrets.ts';
import type { SealedFields } from '../../stored-monitors/stored-monitor.ts';
import { isObject } from '../merge-patch.ts';

/** A patch of a monitor that has unreadable secrets. */
interface Patching {
  before: NormalMonitor;
  patch: unknown;
  /** Whether the patch is a whole response that was sent back. Then a field that is unchanged counts as left out. */
  isRead: boolean;
}

/**
 * The unreadable secrets that stay unchanged in the store, because a patch does not mention their field. Throws
 * `conflict` for a patch of headers that would lose the value of another header.
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
    throw new ServiceError('conflict', `${unreadableText([field])} ${advice}`);
  }
  return Object.fromEntries(kept);
}
