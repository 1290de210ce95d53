import type { Loop } from './loop.ts';

/**
 * A run of a loop that lasts this long counts as hanging. If the database does not answer, the run fails much earlier.
 */
export const hungAfterMs = 30_000;

export interface WatchedLoop {
  name: string;
  loop: Pick<Loop, 'runningForMs' | 'stop'>;
  /** Whether the daemon cannot do its work while this loop hangs. */
  essential: boolean;
  /** The loop counts as hanging as soon as a run has lasted for this long. */
  limitMs: number;
  /** The time for which all runs of the loop have failed. Present only if the daemon's health reports this time. */
  failingForMs?: Loop['failingForMs'];
}

/** Describes an essential loop. Checks, pings or messages stop if the loop hangs. */
export const watched = (name: string, loop: WatchedLoop['loop']): WatchedLoop => ({
  name,
  loop,
  essential: true,
  limitMs: hungAfterMs,
});

/** Describes a loop that may be slow, because it asks registries and authorities, or cleans up. */
export const watchedSlow = (name: string, loop: WatchedLoop['loop']): WatchedLoop => ({
  name,
  loop,
  essential: false,
  limitMs: 20 * hungAfterMs,
});

/** Describes a slow loop. The daemon's health also reports its failures, because no request would show them. */
export const watchedFailing = (
  name: string,
  loop: Pick<Loop, 'runningForMs' | 'failingForMs' | 'stop'>,
): WatchedLoop => ({
  ...watchedSlow(name, loop),
  failingForMs: () => loop.failingForMs(),
});

/**
 * Returns `reason`, a sentence about the essential loop that has been hanging longest; null if none hangs. `warnings`
 * has a sentence about each other hanging loop, and about each loop that keeps failing.
 */
export function findHungLoops(loops: readonly WatchedLoop[]): { reason: string | null; warnings: string[] } {
  const hung = loops
    .filter(({ loop, limitMs }) => loop.runningForMs() > limitMs)
    .toSorted((one, other) => other.loop.runningForMs() - one.loop.runningForMs());
  const worst = hung.find(({ essential }) => essential);
  return {
    reason: worst ? sentence(worst) : null,
    warnings: [...hung.filter((one) => one !== worst).map(sentence), ...loops.flatMap(failure)],
  };
}

const sentence = ({ name, loop }: WatchedLoop) =>
  `The loop "${name}" hangs: its run began ${Math.round(loop.runningForMs() / 1000)} s ago.`;

const failure = ({ name, limitMs, failingForMs = () => 0 }: WatchedLoop) =>
  failingForMs() > limitMs
    ? [`The loop "${name}" has been failing for ${Math.round(failingForMs() / 1000)} s. The log says why.`]
    : [];
