/** Parses a provider's JSON answer. Returns null if the answer is not JSON, for example because a proxy sent it. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Returns a function that reads from a JSON answer how long the provider asks to wait, in milliseconds; null if the
 * number is missing. `path` names this number, with dots between the parts. `unitMs` is the unit of the number.
 */
export const retryAfterMsInBody =
  (path: string, unitMs: number) =>
  (body: string): number | null => {
    const inside = (at: unknown, part: string) => (at as Record<string, unknown> | null | undefined)?.[part];
    const found = path.split('.').reduce(inside, parseBody(body));
    return typeof found === 'number' && found > 0 ? Math.ceil(found * unitMs) : null;
  };
