import type { Clock } from './deps.ts';

/** Waits for `ms` by the given clock. An abort of the signal ends the wait early, without an error. */
export const wait = (clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** Waits for one turn of the event loop. In each turn, Node reads the data that has arrived at the sockets. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Accepting a connection, reading its data and processing the data take one turn of the event loop each. Two more turns
 * are a reserve.
 */
const turnsToRead = 5;

/** Waits until data that has already arrived at the sockets is read and processed. */
export async function readSockets(): Promise<void> {
  for (let turn = 0; turn < turnsToRead; turn++) await nextTurn();
}
