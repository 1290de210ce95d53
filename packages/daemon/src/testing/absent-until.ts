import type { Absences } from '../core/absence.ts';

/** Returns the absences if no daemon ran from `from` until the daemon started at `to`. */
export const absentUntil = (to: number, from = 0): Absences => ({
  receiving: [{ from, to }],
  checking: [{ from, to }],
  daemonRegions: new Set(),
});
