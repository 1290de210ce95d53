/** Returns `value` as a number if it is a number from 0 to `maxValue`, or a text with such a number. Otherwise null. */
export function numberIn(value: unknown, maxValue: number): number | null {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= maxValue ? number : null;
}

/** Returns `value` if it is a text, and an empty text otherwise. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a time as Uptime Kuma stores it, in UTC: `2026-11-23 10:00:00.000`. Null if `value` is not such a time. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(value)) return null;
  const at = Date.parse(`${value.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Writes a time as Uptime Kuma stores it, so that SQL can compare it with stored times as text. */
export const textOfInstant = (at: number): string => new Date(at).toISOString().slice(0, 23).replace('T', ' ');
