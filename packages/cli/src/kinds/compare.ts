import { isDeepStrictEqual } from 'node:util';
import type { Compare, Difference, Fields } from './kind.ts';

/** Compares a field as a whole, because apply can only replace it as a whole. */
export const whole: Compare = (from, to) => (isDeepStrictEqual(from ?? null, to ?? null) ? [] : [{ at: [], from, to }]);

/** Compares a list in which order and repetitions do not matter. */
export const asSet: Compare = (from, to, of) =>
  Array.isArray(from) && Array.isArray(to) && sameMembers(from, to) ? [] : whole(from, to, of);

/** Compares a map entry by entry, because a PATCH also changes a map entry by entry. */
export const byEntry: Compare = (from, to) => entryDifferences(asMap(from), asMap(to));

/** Returns the entries in which two maps differ. */
const entryDifferences = (from: Fields, to: Fields): Difference[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => !isDeepStrictEqual(own(from, name), own(to, name)))
    .map((name) => ({ at: [name], from: own(from, name), to: own(to, name) }));

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asMap = (value: unknown): Fields => (isMap(value) ? value : {});

/** Returns an entry of a map; undefined for an inherited property such as `constructor`. */
export const own = (map: Fields, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

const sameMembers = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((one) => b.includes(one)) && b.every((one) => a.includes(one));
