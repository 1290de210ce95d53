import { InvalidArgumentError } from 'commander';

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
/** The longest duration that a flag accepts: a year. A longer duration is probably a typing error. */
const maxMs = 366 * units.d;

/** Parses a duration such as `30m`, `1h30m` or `2d` for commander. Returns milliseconds. */
export function duration(text: string): number {
  const parts = /^(?:\d{1,9}[dhms])+$/.test(text) ? [...text.matchAll(/(\d+)([dhms])/g)] : [];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
  if (total > 0 && total <= maxMs) return total;
  throw new InvalidArgumentError('Expected a duration such as 30m, 1h30m or 2d, at most a year.');
}
