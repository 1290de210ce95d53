import { newState } from '../core/lifecycle.ts';
import { type Observation, observeCheck } from '../core/verdict.ts';
import { noAbsences } from '../core/absence.ts';

export const intervalMs = 60_000;

export const error = { code: 'timeout', message: 'no answer' } as const;

export const rules = { intervalMs, absences: noAbsences };

/** A scheduled check of region 1 that took no time. */
export const seen = (at: number, more: Partial<Observation> = {}): Observation => ({
  region: 1,
  begunAt: at,
  at,
  requested: false,
  error: null,
  ...more,
});

/**
 * Plays results a second apart, and returns the status and the number of failed rounds after each result. `1+` is a
 * passed check from region 1, and `1-` is a failed one. Each check of a region belongs to the next round of that
 * region. A requested check, such as `1-?`, belongs to no round.
 */
export function play(regions: number[], results: string[], rule = rules) {
  let state = newState(0, false, regions, null);
  const statuses: string[] = [];
  results.forEach((word, i) => {
    const region = Number(word[0]);
    const round = results.slice(0, i).filter((before) => before.startsWith(word[0]!) && before[2] !== '?').length;
    const requested = word[2] === '?';
    const result = { region, begunAt: round * intervalMs, requested, error: word[1] === '-' ? error : null };
    const step = observeCheck(state, seen((i + 1) * 1000, result), rule);
    state = step.state;
    statuses.push(`${state.status}:${state.failures}`);
  });
  return { state, statuses };
}
