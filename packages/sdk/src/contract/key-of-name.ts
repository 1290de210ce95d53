/** The longest key, in characters. */
export const maxKeyLength = 63;

/** Returns the key of a name: `Shop (EU)` becomes `shop-eu`. Empty if no character of the name may be in a key. */
export const keyOfName = (name: string): string =>
  name
    .normalize('NFKD')
    // Removes accents. `normalize` has split them from their letters.
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, maxKeyLength)
    .replace(/^-+|-+$/g, '');

/** Returns the key of the `count`th item with the same name: `shop`, then `shop-2`. */
export const numberedKey = (base: string, count: number): string =>
  count === 1 ? base : `${base.slice(0, maxKeyLength - String(count).length - 1)}-${count}`;
