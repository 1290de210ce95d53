import type { Absences } from '../core/absence.ts';

/** Absences as of a daemon that began to run at `to`, in epoch milliseconds. */
export const absentUntil = (to: number, from = 0): Absences => ({
  receiving: [{ from, to }],
  checking: [{ from, to }],
  daemonRegions: new Set(),
});
