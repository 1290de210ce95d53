import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import type { Place } from './diagnostic.ts';

/** A resource that a manifest wants. */
export interface Wanted<V extends object = Named> {
  kind: Kind;
  /** The fields as written, before defaults. */
  given: Fields;
  /** Every field, defaults filled in. */
  value: V;
  /** Whether the value at a path must not be shown: it came from the environment, or is a secret field. */
  hides: (path: string) => boolean;
  /** Returns the place of a field, or the start of the item for a field that is not written. */
  place: (path: string) => Place;
}

/** Creates an item that comes from no file. */
export const wantedFrom = (kind: Kind, value: Named, given: Fields = { ...value }): Wanted => ({
  kind,
  given,
  value,
  hides: (path) => kind.isSecret(path, given),
  place: () => ({ file: '', line: 1, column: 1 }),
});

/** Returns the monitors among the items. Their kind has validated them. */
export const monitorsOf = (items: readonly Wanted[]): Wanted<NormalMonitor>[] =>
  items.filter(({ kind }) => kind.name === 'monitor') as Wanted<object>[] as Wanted<NormalMonitor>[];
