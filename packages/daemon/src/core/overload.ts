/** Kinds of work that an overloaded server refuses. It refuses `page` first, and `write` last. */
export type RefusableWork = 'page' | 'read' | 'write';

/**
 * A kind of work is refused as soon as the mean delay of the event loop reaches this many milliseconds. Pings, running
 * checks and alerts are never refused.
 */
export const refusedFromMs: Readonly<Record<RefusableWork, number>> = { page: 100, read: 200, write: 400 };

/** Whether the server refuses this kind of work while its event loop has this delay. */
export const isRefused = (work: RefusableWork, loopDelayMs: number): boolean => loopDelayMs >= refusedFromMs[work];

/** Returns a warning for the operator that names the refused work. Returns no warning if no work is refused. */
export function overloadWarnings(loopDelayMs: number): string[] {
  const refused = (Object.keys(refusedFromMs) as RefusableWork[]).filter((work) => isRefused(work, loopDelayMs));
  if (refused.length === 0) return [];
  const names = refused.map(
    (work) => ({ page: 'pages that are not cached', read: 'API reads', write: 'API writes' })[work],
  );
  const delay = `its event loop is delayed by ${Math.round(loopDelayMs)} ms`;
  return [`The server is overloaded: ${delay}. It refuses ${names.join(', ')}.`];
}
