import type { Monitor } from '@uptime/sdk';
import type { Wanted } from '../manifest/item.ts';

/** One field that differs. `path` is dotted: `interval`, `headers.Accept`. Absent values are undefined. */
export interface FieldChange {
  path: string;
  from: unknown;
  to: unknown;
  /** Neither value may be shown. */
  secret: boolean;
}

/** One step from what the server has to what is wanted. A type can't be changed: `replace` deletes and creates. */
export type Change =
  | { action: 'create'; wanted: Wanted }
  | { action: 'update'; wanted: Wanted; current: Monitor; fields: FieldChange[] }
  | { action: 'replace'; wanted: Wanted; current: Monitor }
  | { action: 'delete'; current: Monitor };

export type Action = Change['action'];

/** What apply would do, in order. */
export interface Plan {
  changes: Change[];
  /** Monitors that are as wanted. */
  unchanged: { wanted: Wanted; current: Monitor }[];
}

/** Type and name of the monitor that a change is about, as it will be; as it is, for a deletion. */
export const subject = (change: Change): { type: string; name: string; key: string | null } => {
  const { type, name, key } = change.action === 'delete' ? change.current : change.wanted.value;
  return { type, name, key: key ?? null };
};
