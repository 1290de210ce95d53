import { UptimeError } from './errors.ts';

/**
 * A path with every value escaped, so that an id never changes which resource is addressed.
 * Throws {@link UptimeError} for a value that is empty or that a URL would swallow (`.` and `..`).
 *
 * @example
 * path`/monitors/${'mon_1/../x'}`; // "/monitors/mon_1%2F..%2Fx"
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((before, part, i) => before + segment(values[i - 1]) + part);
}

function segment(value: string | number | undefined): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new UptimeError('An id is missing: it must be a string that is not empty.');
  return encodeURIComponent(text);
}
