/** A provider's JSON answer; null for what is no JSON, since answers come from proxies too. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Reads how long a provider asks to be left alone, in milliseconds: the number at `path` (its parts parted by dots) of
 * its JSON answer, times `unit`. Null where there is none.
 */
export const waitInBody =
  (path: string, unit: number) =>
  (body: string): number | null => {
    const inside = (at: unknown, part: string) => (at as Record<string, unknown> | null | undefined)?.[part];
    const found = path.split('.').reduce(inside, parseBody(body));
    return typeof found === 'number' && found > 0 ? Math.ceil(found * unit) : null;
  };
