/** A maintenance window. It is in force from its start until just before its end, in epoch milliseconds. */
export interface Window {
  start: number;
  end: number;
}

export const inForce = ({ start, end }: Window, at: number): boolean => start <= at && at < end;

/** Returns how many milliseconds of a span lie within windows. Overlapping windows count once. */
export function timeInWindows(from: number, until: number, windows: readonly Window[]): number {
  let covered = 0;
  let reached = from;
  for (const { start, end } of windows.toSorted((a, b) => a.start - b.start)) {
    const begin = Math.max(start, reached);
    const stop = Math.min(end, until);
    if (stop <= begin) continue;
    covered += stop - begin;
    reached = stop;
  }
  return covered;
}
