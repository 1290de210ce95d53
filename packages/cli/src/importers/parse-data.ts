/** A map in a file. Its values may have any type. */
export type Values = Record<string, unknown>;

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the items of a list that are maps. Returns an empty list if the value is not a list. */
export const mapsOf = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** Returns a text or a number as text; undefined for any other value, and for an empty text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

/** Returns a number, also if it is written as text; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns those entries of a map that have a text or a number as their value. Numbers become texts. */
export const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isMap(value) ? value : {}).flatMap(([name, one]) => {
      const text = textOf(one);
      return text === undefined ? [] : [[name, text]];
    }),
  );
