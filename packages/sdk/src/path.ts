import { UptimeError } from './errors.ts';

/**
 * Builds a path and escapes every value, so that an id cannot address another resource.
 * Throws {@link UptimeError} for an empty value, and for `.` and `..`, which URLs remove.
 *
 * @example
 * path`/monitors/${'mon_1/../x'}`; // "/monitors/mon_1%2F..%2Fx"
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((before, part, i) => before + segment(values[i - 1]) + part);
}

function segment(value: string | number | undefined): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new UptimeError('An id is missing.');
  return encodeURIComponent(text);
}
