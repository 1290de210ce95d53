/** Returns a number from 0 to `most`, even if it is written as text; null for anything else. */
export function numberIn(value: unknown, most: number): number | null {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= most ? number : null;
}

/** Returns a text; empty for anything else. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a time of Uptime Kuma, which is UTC: `2026-11-23 10:00:00.000`. Null for anything else. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(value)) return null;
  const at = Date.parse(`${value.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Writes a time as Uptime Kuma does, so that texts compare as times. */
export const textOfInstant = (at: number): string => new Date(at).toISOString().slice(0, 23).replace('T', ' ');
