const bars = '▁▂▃▄▅▆▇█';
/** The mark for a failed check. A failed check gets no bar. */
const failed = '×';

/**
 * Draws response times (milliseconds; null for a failed check) as bars. The smallest shown time gets the lowest bar,
 * and the largest gets the highest.
 */
export function sparkline(times: readonly (number | null)[], width: number): string {
  const shown = times.slice(-width);
  const passed = shown.filter((time) => time !== null);
  const [fastest, slowest] = [Math.min(...passed), Math.max(...passed)];
  return shown
    .map((time) => {
      if (time === null) return failed;
      const share = slowest === fastest ? 0 : (time - fastest) / (slowest - fastest);
      return bars[Math.min(bars.length - 1, Math.floor(share * bars.length))]!;
    })
    .join('');
}
