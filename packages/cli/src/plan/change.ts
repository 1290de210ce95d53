import type { Fields, Kind, Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import { labelOf, type Target } from '../manifest/references.ts';

/** One difference between a resource on the server and the wanted one. A missing value is undefined. */
export interface FieldChange {
  /** The name of the field. For an entry of a map, the path of the entry follows. */
  at: readonly [field: string, ...entry: string[]];
  from: unknown;
  to: unknown;
  /** Whether both values are secret, so that output must not show them. */
  secret: boolean;
}

/** The targets of the references of an item, by field. A target has an id only if it already exists on the server. */
export type Targets = Readonly<Record<string, readonly Target[]>>;

/**
 * One change in a plan. `replace` creates a new resource and deletes the old one, because the type of a resource cannot
 * be changed.
 */
export type Change =
  | { action: 'create'; kind: Kind; wanted: Wanted; targets: Targets }
  | { action: 'update'; kind: Kind; wanted: Wanted; current: Remote; fields: FieldChange[]; targets: Targets }
  | { action: 'replace'; kind: Kind; wanted: Wanted; current: Remote; targets: Targets }
  | { action: 'delete'; kind: Kind; current: Remote };

export type Action = Change['action'];

/** The changes that an apply makes, in their order, and the items that need no change. */
export interface Plan {
  changes: Change[];
  /** The items that are equal to their resource on the server. */
  unchanged: { wanted: Wanted; current: Remote }[];
  /** Maintenance windows that are over. Apply never changes these. */
  over: Wanted[];
}

/** Returns the type, name and key of a changed resource: from the manifest or, for a deletion, from the server. */
export const subject = (change: Change): { type: string | null; name: string; key: string | null } => {
  const { type, name, key } = change.action === 'delete' ? change.current : change.wanted.value;
  return { type: typeof type === 'string' ? type : null, name, key: key ?? null };
};

/**
 * Returns the fields of a new resource as the manifest gives them. `monitors` also contains the monitors that
 * `monitorsWith` selects.
 */
export const createdFields = ({ wanted, targets }: Exclude<Change, { action: 'update' | 'delete' }>): Fields =>
  wanted.monitorsWith && targets['monitors']
    ? { ...wanted.given, monitors: targets['monitors'].map(labelOf) }
    : wanted.given;
