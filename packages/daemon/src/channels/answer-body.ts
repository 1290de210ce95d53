/** Parses a provider's JSON answer. Returns null if the answer is not JSON, for example because a proxy sent it. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Returns a function that reads the provider's waiting time from a JSON answer. `path` names the field that contains
 * this time, with dots between the parts. `unitMs` is the unit of the field. The function returns milliseconds, or null
 * if the field is not a positive number.
 */
export const retryAfterMsInBody =
  (path: string, unitMs: number) =>
  (body: string): number | null => {
    const inside = (at: unknown, part: string) => (at as Record<string, unknown> | null | undefined)?.[part];
    const found = path.split('.').reduce(inside, parseBody(body));
    return typeof found === 'number' && found > 0 ? Math.ceil(found * unitMs) : null;
  };
