const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A duration in milliseconds as people say it, in two units at most: `450 ms`, `5 s`, `1 min 30 s`, `3 d 2 h`. */
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

/** How often something is done, in one unit that says it exactly: `90 s`, `5 min`, `1 d`. */
export function interval(seconds: number): string {
  const [unit, size] = units.find(([, each]) => (seconds * 1000) % each === 0) ?? ['s', 1000];
  return `${(seconds * 1000) / size} ${unit}`;
}

/** A time (ISO 8601) as seen from now, in one unit: `5 s ago`, `in 3 h`. */
export function relative(time: string, now: number): string {
  const apart = Date.parse(time) - now;
  if (Math.abs(apart) < 1000) return 'now';
  const about = duration(Math.abs(apart)).split(' ').slice(0, 2).join(' ');
  return apart > 0 ? `in ${about}` : `${about} ago`;
}

/** The same with the time itself, for one that is read alone. */
export const relativeWithTime = (time: string, now: number): string => `${relative(time, now)} (${time})`;
