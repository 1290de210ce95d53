import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import type { Place } from './diagnostic.ts';
import type { ParsedDocument } from './parse.ts';
import type { Tree } from './tree.ts';

/** A resource that a manifest wants. */
export interface Wanted<V extends object = Named> {
  kind: Kind;
  /** The fields as written, before the contract's defaults. */
  given: Fields;
  /** Every field, defaults filled in. */
  value: V;
  /** The earlier key or name (`renamedFrom`); null without one. */
  renamedFrom: string | null;
  /** The labels that select further monitors for the item; null without any. */
  monitorsWith: Readonly<Record<string, string>> | null;
  /** Whether the value at a path must not be shown: it came from the environment, or is a secret field. */
  hides: (path: string) => boolean;
  /** Returns the place of a field, or the start of the item for a field that is not written. */
  place: (path: string) => Place;
  /** Null for an item that comes from no file. */
  written: Written | null;
}

/** An item in its file. */
export interface Written {
  document: ParsedDocument;
  /** The item as written in the list. */
  written: Tree;
  /** The item with defaults, overrides and variables. */
  tree: Tree;
  /** Whether a `forEach` made it. */
  isOneOfMany: boolean;
}

/** Creates an item that comes from no file. */
export const wantedFrom = (kind: Kind, value: Named, given: Fields = { ...value }): Wanted => ({
  kind,
  given,
  value,
  renamedFrom: null,
  monitorsWith: null,
  hides: (path) => kind.isSecret(path, given),
  place: () => ({ file: '', line: 1, column: 1 }),
  written: null,
});

/** Returns the monitors among the items. Their kind has validated them. */
export const monitorsOf = (items: readonly Wanted[]): Wanted<NormalMonitor>[] =>
  items.filter(({ kind }) => kind.name === 'monitor') as Wanted<object>[] as Wanted<NormalMonitor>[];
