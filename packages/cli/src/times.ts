const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats milliseconds with at most two units: `450 ms`, `5 s`, `1 min 30 s`, `3 d 2 h`. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${whole} ms`;
  const first = units.findIndex(([, size]) => whole >= size);
  const [unit, size] = units[first]!;
  const next = units[first + 1];
  const count = Math.floor(whole / size);
  const rest = next ? Math.floor((whole - count * size) / next[1]) : 0;
  return rest > 0 ? `${count} ${unit} ${rest} ${next![0]}` : `${count} ${unit}`;
}

/** Formats an interval in the largest unit in which it is a whole number: `90 s`, `5 min`, `1 d`. */
export function interval(seconds: number): string {
  if (seconds === 0) return '0 s';
  const [unit, size] = units.find(([, each]) => (seconds * 1000) % each === 0) ?? ['s', 1000];
  return `${(seconds * 1000) / size} ${unit}`;
}

/** Formats a time (ISO 8601) relative to `now`, with one unit: `5 s ago`, `in 3 h`. */
export function relative(time: string, now: number): string {
  const apart = Date.parse(time) - now;
  if (Math.abs(apart) < 1000) return 'now';
  const about = duration(Math.abs(apart)).split(' ').slice(0, 2).join(' ');
  return apart > 0 ? `in ${about}` : `${about} ago`;
}

/** Formats a time relative to now, followed by the time itself. */
export const relativeWithTime = (time: string, now: number): string => `${relative(time, now)} (${time})`;
