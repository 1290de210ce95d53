import type { IncomingMessage } from 'node:http';

/** Maximum number of bytes of request bodies that this process holds at once, for all callers together. */
export const maxBodyBytesHeld = 64 * 1024 * 1024;
/** Maximum number of bytes of request bodies that this process holds at once for one caller. */
export const maxBodyBytesHeldPerCaller = 8 * 1024 * 1024;

/**
 * Counts the bytes of bodies that are arriving or being handled, so that unfinished requests cannot fill the memory.
 */
export interface BodyBudget {
  /** Reserves `bytes` for a caller. Returns false if the caller or the process holds too much already. */
  take(caller: string, bytes: number): boolean;
  giveBack(caller: string, bytes: number): void;
}

export function createBodyBudget(
  limits = { inAll: maxBodyBytesHeld, perCaller: maxBodyBytesHeldPerCaller },
): BodyBudget {
  const held = new Map<string, number>();
  let inAll = 0;
  return {
    take(caller, bytes) {
      const ofCaller = held.get(caller) ?? 0;
      if (inAll + bytes > limits.inAll || ofCaller + bytes > limits.perCaller) return false;
      inAll += bytes;
      held.set(caller, ofCaller + bytes);
      return true;
    },
    giveBack(caller, bytes) {
      inAll -= bytes;
      const left = (held.get(caller) ?? 0) - bytes;
      if (left > 0) held.set(caller, left);
      else held.delete(caller);
    },
  };
}

/**
 * The result of reading a body: its bytes, or why it was refused. `no_budget` means that the budget is used up, and
 * `too_large` that the body is too long.
 */
export type ReadBody = { bytes: Buffer } | { refused: 'too_large' | 'no_budget' };

export interface ReadLimits {
  /** Maximum number of bytes of the body. */
  limit: number;
  /** A body of at most this many bytes needs no reservation. */
  free: number;
  /** The caller whose share of the budget this body uses. */
  caller: string;
  budget: BodyBudget;
}

/**
 * Reads a body and passes it to `done`. If the body is longer than `free`, reserves the declared length from the
 * budget, or `limit` bytes if no length is declared. The reservation ends when `done` returns. If `done` returns a
 * promise, the reservation ends when this promise settles.
 * If the body is refused, its bytes are still read and dropped, so that the client gets an answer. If the client
 * disconnects, `done` gets an error. The result goes to a callback, because each promise in the handling of a ping
 * makes the ping 5% more expensive.
 */
export function readBody(
  body: IncomingMessage,
  { limit, free, caller, budget }: ReadLimits,
  done: (error: Error | null, read?: ReadBody) => void | Promise<void>,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let reserved = false;
  const size = Number(body.headers['content-length'] ?? limit);
  let refused: 'too_large' | 'no_budget' | null = null;
  const end = (error: Error | null) => {
    body.off('data', take).off('end', onEnd).off('error', onError).off('close', onClose);
    const read = refused ? { refused } : { bytes: Buffer.concat(chunks) };
    const taken = error ? done(error) : done(null, read);
    if (reserved) afterwards(taken, () => budget.giveBack(caller, size));
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) {
      refused = 'too_large';
      end(null);
      body.resume();
      return;
    }
    if (length > free && !reserved && refused === null) {
      reserved = budget.take(caller, size);
      if (!reserved) refused = 'no_budget';
    }
    if (refused === null) chunks.push(chunk);
    else chunks = [];
  };
  const onEnd = () => end(null);
  const onError = (error: Error) => end(error);
  const onClose = () => end(new Error('The client closed the connection before it had sent the whole body.'));
  body.on('data', take).on('end', onEnd).on('error', onError).on('close', onClose);
}

/** If `work` is a promise, runs `then` when the promise settles; otherwise at once. */
function afterwards(work: void | Promise<void>, then: () => void): void {
  if (work) void work.finally(then);
  else then();
}
