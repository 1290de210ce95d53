import type { Clock } from './deps.ts';

/** Waits by the daemon's clock. The signal ends the wait early. */
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

/** Waits for one turn of the event loop, in which waiting data is read from the sockets. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Accepting, reading and processing take one turn of the event loop each. This is more than they need. */
const turnsToRead = 5;

/** Waits until data that has already arrived at the sockets is read and processed. */
export async function readSockets(): Promise<void> {
  for (let turn = 0; turn < turnsToRead; turn++) await nextTurn();
}
