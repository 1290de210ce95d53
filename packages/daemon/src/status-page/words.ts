const dayMs = 86_400_000;
const units = [
  ['d', dayMs],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

const named = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `3 Nov`, of a day's number since the epoch. */
export const dayName = (day: number): string => named.format(day * dayMs);

/** The two largest units of a duration in milliseconds: `2 h 5 min`, `0 s`. */
export function duration(ms: number): string {
  let left = ms;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** `99.98 %`; cut, never rounded up: 100 means that there was no downtime. */
export const percent = (value: number): string => `${Math.floor(value * 100) / 100} %`;
