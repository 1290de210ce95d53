import { ApiError } from '@uptime/sdk';
import { wait } from '../wait.ts';
import type { Writer } from './apply.ts';

interface Waiting {
  signal: AbortSignal;
  /** Called before each wait, with the number of seconds. */
  onWait: (seconds: number) => void;
}

/** The longest wait that a call accepts. If the server asks for a longer wait, the call fails. */
const maxWaitSeconds = 900;
/** Maximum number of waits of one call. If the call then fails again, it is not repeated. */
const maxWaits = 5;

/**
 * Creates a wrapper that obeys `Retry-After` for a whole apply. When the server asks one call to wait, no other call
 * starts before that wait is over. Before the wrapper learns of a failed call, the client has already retried the call.
 */
export function waitWhenAsked({ signal, onWait }: Waiting): (writer: Writer) => Writer {
  let until = Promise.resolve();
  /** Resolves when no wait is left. If another call makes the wait longer, resolves only after that longer wait. */
  const passed = async () => {
    for (let seen: unknown; seen !== until;) await (seen = until);
  };
  const hold = async (failure: unknown) => {
    const seconds = askedWaitSeconds(failure);
    if (seconds === null) throw failure;
    onWait(seconds);
    // An abort ends the wait. The call then fails with the error that it had before the wait.
    const waited = wait(seconds * 1000, signal).catch(() => undefined);
    until = Promise.all([until, waited]).then(() => undefined);
    await passed();
    if (signal.aborted) throw failure;
  };
  const withWaits =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      for (let waits = 0; waits < maxWaits; waits++) {
        await passed();
        try {
          return await call(...args);
        } catch (error) {
          await hold(error);
        }
      }
      return call(...args);
    };
  return (writer) => ({
    create: withWaits((input) => writer.create(input)),
    update: withWaits((id, patch) => writer.update(id, patch)),
    delete: withWaits((id) => writer.delete(id)),
  });
}

/**
 * Returns how many seconds the server asks to wait. Returns null if it does not ask, or asks for a longer wait than is
 * accepted.
 */
function askedWaitSeconds(error: unknown): number | null {
  const asks = error instanceof ApiError && (error.status === 429 || error.status === 503);
  return asks && error.retryAfter !== null && error.retryAfter <= maxWaitSeconds ? error.retryAfter : null;
}
