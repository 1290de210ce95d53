import type { Kind, Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import type { Target } from '../manifest/references.ts';

/** One difference. Absent values are undefined. */
export interface FieldChange {
  /** Where: a field, and where it merges by entry the names of the entry. */
  at: readonly [field: string, ...entry: string[]];
  from: unknown;
  to: unknown;
  /** Neither value may be shown. */
  secret: boolean;
}

/** What the references of an item mean, by field; their ids are known once what they name is there. */
export type Targets = Readonly<Record<string, readonly Target[]>>;

/** One step from what the server has to what is wanted. `replace` creates anew and deletes: a type can't be changed. */
export type Change =
  | { action: 'create'; kind: Kind; wanted: Wanted; targets: Targets }
  | { action: 'update'; kind: Kind; wanted: Wanted; current: Remote; fields: FieldChange[]; targets: Targets }
  | { action: 'replace'; kind: Kind; wanted: Wanted; current: Remote; targets: Targets }
  | { action: 'delete'; kind: Kind; current: Remote };

export type Action = Change['action'];

/** What apply would do, in order. */
export interface Plan {
  changes: Change[];
  /** What is as wanted. */
  unchanged: { wanted: Wanted; current: Remote }[];
  /** Wanted items whose time has passed: they are left alone. */
  over: Wanted[];
}

/** Type, name and key of what a change is about, as it will be; as it is, for a deletion. */
export const subject = (change: Change): { type: string | null; name: string; key: string | null } => {
  const { type, name, key } = change.action === 'delete' ? change.current : change.wanted.value;
  return { type: typeof type === 'string' ? type : null, name, key: key ?? null };
};
