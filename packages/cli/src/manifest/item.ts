import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import type { Place } from './diagnostic.ts';

/** A resource as a manifest wants it. */
export interface Wanted<V extends object = Named> {
  kind: Kind;
  /** The fields as written, before defaults. */
  given: Fields;
  /** Every field, defaults filled in. */
  value: V;
  /** Whether what stands at a path must not be shown: it came from the environment, or is secret by its nature. */
  hides: (path: string) => boolean;
  /** Where a field stands; where the item begins, for a field that is not written. */
  place: (path: string) => Place;
}

/** A stand-in for an item that comes from no file. */
export const wantedFrom = (kind: Kind, value: Named, given: Fields = { ...value }): Wanted => ({
  kind,
  given,
  value,
  hides: (path) => kind.isSecret(path, given),
  place: () => ({ file: '', line: 1, column: 1 }),
});

/** The monitors among the items; their kind has validated them. */
export const monitorsOf = (items: readonly Wanted[]): Wanted<NormalMonitor>[] =>
  items.filter(({ kind }) => kind.name === 'monitor') as Wanted<object>[] as Wanted<NormalMonitor>[];
