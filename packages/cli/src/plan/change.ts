import type { Fields, Kind, Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import { labelOf, type Target } from '../manifest/references.ts';

/** One difference between a resource on the server and the wanted one. Absent values are undefined. */
export interface FieldChange {
  /** The field, and for a map also the path of the entry. */
  at: readonly [field: string, ...entry: string[]];
  from: unknown;
  to: unknown;
  /** Whether both values must stay hidden. */
  secret: boolean;
}

/** The targets of an item's references, by field. A target has an id once it exists. */
export type Targets = Readonly<Record<string, readonly Target[]>>;

/** One step of a plan. `replace` creates a new resource and deletes the old one, because a type cannot be changed. */
export type Change =
  | { action: 'create'; kind: Kind; wanted: Wanted; targets: Targets }
  | { action: 'update'; kind: Kind; wanted: Wanted; current: Remote; fields: FieldChange[]; targets: Targets }
  | { action: 'replace'; kind: Kind; wanted: Wanted; current: Remote; targets: Targets }
  | { action: 'delete'; kind: Kind; current: Remote };

export type Action = Change['action'];

/** The changes of an apply, in order. */
export interface Plan {
  changes: Change[];
  /** Items that match the server. */
  unchanged: { wanted: Wanted; current: Remote }[];
  /** Maintenance windows that are over; apply does not change them. */
  over: Wanted[];
}

/** Returns type, name and key of a changed resource: the new ones, or for a deletion the current ones. */
export const subject = (change: Change): { type: string | null; name: string; key: string | null } => {
  const { type, name, key } = change.action === 'delete' ? change.current : change.wanted.value;
  return { type: typeof type === 'string' ? type : null, name, key: key ?? null };
};

/** Returns the given fields of a new resource, with the monitors that `monitorsWith` selects. */
export const createdFields = ({ wanted, targets }: Exclude<Change, { action: 'update' | 'delete' }>): Fields =>
  wanted.monitorsWith && targets['monitors']
    ? { ...wanted.given, monitors: targets['monitors'].map(labelOf) }
    : wanted.given;
