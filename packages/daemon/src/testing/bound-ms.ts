/** Work on a machine with other load may take this long. Then only a hang is a failure. */
const busyMs = 20_000;

/**
 * The most milliseconds that something may take. The long tests demand `exactMs`, and so need a quiet machine. `npm
 * test` runs on any machine, so there only a hang fails. `scripts/test-run/exactly-timed.ts` lists the files with such
 * a bound.
 */
export const boundMs = (exactMs: number): number => (isExact() ? exactMs : Math.max(exactMs, busyMs));

/** Whether this run demands exact times. */
export const isExact = (): boolean => process.env['UPTIME_TEST_EXACT'] === '1';
