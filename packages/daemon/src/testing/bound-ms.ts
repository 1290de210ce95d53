/** On a busy machine, work may take this long. If it takes longer, it hangs. */
const busyMs = 20_000;

/**
 * Returns the longest time, in milliseconds, that something may take. The long tests demand `exactMs`, so they need an
 * idle machine. `npm test` must also pass on a busy machine, so it fails only if something hangs.
 * `scripts/test-run/exactly-timed.ts` lists the test files that use this function.
 */
export const boundMs = (exactMs: number): number => (isExact() ? exactMs : Math.max(exactMs, busyMs));

/**
 * The processor time that one turn of the event loop may take, in milliseconds. A test runs beside other tests, which
 * may double the processor time of the same work.
 */
export const boundTurnMs = (): number => (isExact() ? 50 : 100);

/** Whether this run demands exact times. */
export const isExact = (): boolean => process.env['UPTIME_TEST_EXACT'] === '1';
