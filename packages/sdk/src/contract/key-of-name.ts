/** The longest key, in characters. */
export const longestKey = 63;

/** Turns a name into a key: `Shop (EU)` becomes `shop-eu`. Empty if the name has no character that a key may have. */
export const keyOfName = (name: string): string =>
  name
    .normalize('NFKD')
    // Removes accents, which the line above has split from their letters.
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, longestKey)
    .replace(/^-+|-+$/g, '');

/** The key of the `count`th item with the same name: `shop`, then `shop-2`. */
export const numberedKey = (base: string, count: number): string =>
  count === 1 ? base : `${base.slice(0, longestKey - String(count).length - 1)}-${count}`;
