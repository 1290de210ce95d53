/** Parses a provider's JSON answer. Null if it is not JSON, because answers may come from proxies too. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Reads how long a provider asks to wait, in milliseconds: the number at `path` (parts joined by dots) of its JSON
 * answer, times `unit`. Null if it is missing.
 */
export const retryAfterMsInBody =
  (path: string, unit: number) =>
  (body: string): number | null => {
    const inside = (at: unknown, part: string) => (at as Record<string, unknown> | null | undefined)?.[part];
    const found = path.split('.').reduce(inside, parseBody(body));
    return typeof found === 'number' && found > 0 ? Math.ceil(found * unit) : null;
  };
