/** Work on a machine with other load may take this long, so that only a hang is a failure. */
const busyMs = 20_000;

/**
 * The longest time that something may take, in milliseconds. The long tests demand `exactMs`, so they need an idle
 * machine. `npm test` must also pass on a busy machine, so there only a hang is a failure.
 * `scripts/test-run/exactly-timed.ts` lists the files with such a bound.
 */
export const boundMs = (exactMs: number): number => (isExact() ? exactMs : Math.max(exactMs, busyMs));

/** Whether this run demands exact times. */
export const isExact = (): boolean => process.env['UPTIME_TEST_EXACT'] === '1';
