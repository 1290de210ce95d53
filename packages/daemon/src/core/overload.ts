/** Work that the server refuses when it has too much to do, from the first to be refused to the last. */
export type RefusableWork = 'page' | 'read' | 'write';

/**
 * Mean delay of the event loop, in milliseconds, from which each kind of work is refused. Pings, checks under way and
 * alarms are never refused.
 */
export const refusedFromMs: Readonly<Record<RefusableWork, number>> = { page: 100, read: 200, write: 400 };

/** Whether the server refuses such work while its event loop is delayed by so many milliseconds. */
export const isRefused = (work: RefusableWork, loopDelayMs: number): boolean => loopDelayMs >= refusedFromMs[work];

/** Says what is refused, for the operator. */
export function overloadWarnings(loopDelayMs: number): string[] {
  const refused = (Object.keys(refusedFromMs) as RefusableWork[]).filter((work) => isRefused(work, loopDelayMs));
  if (refused.length === 0) return [];
  const names = refused.map(
    (work) => ({ page: 'pages that are not cached', read: 'API reads', write: 'API writes' })[work],
  );
  const delay = `its event loop is delayed by ${Math.round(loopDelayMs)} ms`;
  return [`The server is overloaded: ${delay}. It refuses ${names.join(', ')}.`];
}
