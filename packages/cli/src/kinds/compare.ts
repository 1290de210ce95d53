import { isDeepStrictEqual } from 'node:util';
import type { Compare, Difference, Fields } from './kind.ts';

/** A field that is replaced as a whole. */
export const whole: Compare = (from, to) => (isDeepStrictEqual(from ?? null, to ?? null) ? [] : [{ at: [], from, to }]);

/** A list whose order means nothing. */
export const asSet: Compare = (from, to, of) =>
  Array.isArray(from) && Array.isArray(to) && sameMembers(from, to) ? [] : whole(from, to, of);

/** A map that merges by entry in a PATCH, so that each entry is compared for itself. */
export const byEntry: Compare = (from, to) => entryDifferences(asMap(from), asMap(to));

/** The entries in which two maps differ. */
export const entryDifferences = (from: Fields, to: Fields): Difference[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => !isDeepStrictEqual(own(from, name), own(to, name)))
    .map((name) => ({ at: [name], from: own(from, name), to: own(to, name) }));

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asMap = (value: unknown): Fields => (isMap(value) ? value : {});

/** An entry of a map; what every object inherits is none. */
export const own = (map: Fields, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

const sameMembers = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((one) => b.includes(one)) && b.every((one) => a.includes(one));
