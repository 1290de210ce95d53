import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import type { Place } from './diagnostic.ts';
import type { ParsedDocument } from './parse.ts';
import type { Tree } from './tree.ts';

/** A resource that a manifest describes. */
export interface Wanted<V extends object = Named> {
  kind: Kind;
  /** The fields as the manifest writes them, without the defaults of the contract. */
  given: Fields;
  /** All fields, including those that the contract filled in with defaults. */
  value: V;
  /** The earlier key or name of the resource (`renamedFrom`); null if the manifest gives none. */
  renamedFrom: string | null;
  /** The labels that select more monitors for the resource (`monitorsWith`); null if the manifest gives none. */
  monitorsWith: Readonly<Record<string, string>> | null;
  /** Whether the value at a path must not be shown, because it came from the environment or its field is secret. */
  hides: (path: string) => boolean;
  /** Returns the place of a field. If the manifest does not write the field, returns the start of the map around it. */
  place: (path: string) => Place;
  /** Where and how the item is written; null if it does not come from a file. */
  written: Written | null;
}

/** The YAML of an item in its file. */
export interface Written {
  document: ParsedDocument;
  /** The item exactly as it is written in the list. */
  written: Tree;
  /** The item after defaults, overrides and variables were applied. */
  tree: Tree;
  /** Whether a `forEach` made the item. */
  isOneOfMany: boolean;
}

/** Creates an item that does not come from a file. */
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

/** Returns those items that are monitors. Their kind has already validated them. */
export const monitorsOf = (items: readonly Wanted[]): Wanted<NormalMonitor>[] =>
  items.filter(({ kind }) => kind.name === 'monitor') as Wanted<object>[] as Wanted<NormalMonitor>[];
