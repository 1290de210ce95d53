import { createBodyBudget } from './body-budget.ts';
import { ServiceError } from '../errors.ts';

/**
 * Shares the event loop among API requests. Requests take turns by owner. After a long turn, or several short turns,
 * the loop serves pings, checks and alerts. So one owner's large requests delay neither pings nor other owners.
 */
export interface RequestTurns {
  /**
   * Resolves when the owner may work. The turn ends when the work waits for something. Call this function again before
   * each further piece of long work.
   */
  next(owner: string): Promise<void>;
  /**
   * Resolves when a request may begin. The result is a function that the request calls between pieces of its work: it
   * waits for another turn if the last turn was long. `bytes` is the memory that the request holds while it waits.
   * Throws `unavailable` if waiting requests hold too much memory.
   */
  begin(owner: string, bytes: number): Promise<() => Promise<void>>;
  /**
   * Refuses requests that have not begun, with this error. After that, requests that have already begun no longer wait
   * for turns.
   */
  close(reason: Error): void;
}

/** If consecutive turns together took at least this time, the event loop serves other work before the next turn. */
const sliceMs = 2;
/** Maximum number of turns (see `RequestTurns`) that run in a row before the event loop serves other work. */
const maxTurns = 8;
/**
 * A single turn may take much longer than `sliceMs`. If consecutive turns took at least `restFromMs` together, a rest
 * follows that is as long as all these turns.
 */
const restFromMs = 16;
/** Maximum length of the rest after long turns (`restFromMs`). */
const maxRestMs = 100;
/** Minimum memory that a waiting request holds: its headers, and the data that Node and Fastify keep for it. */
const minBytesHeld = 4 * 1024;

interface Turn {
  start: () => void;
  /** Refuses the request. Absent if the request has begun, because then it is not refused. */
  refuse?: (reason: Error) => void;
}

/**
 * Returns `RequestTurns`. `budget` limits the memory of waiting requests. The number of connections does not limit this
 * memory, because a client may disconnect while its request waits.
 */
export function createRequestTurns(monotonicMs: () => number, budget = createBodyBudget()): RequestTurns {
  /** Waiting turns by owner. The first owner in the map gets the next turn, and then moves to the end. */
  const waiting = new Map<string, Turn[]>();
  let scheduled = false;
  let closed: Error | null = null;

  const run = () => {
    const begunMonoMs = monotonicMs();
    let over = false;
    const step = (mayTake: boolean) => {
      if (over) return;
      const tookMs = monotonicMs() - begunMonoMs;
      over = waiting.size === 0 || tookMs >= sliceMs || !mayTake;
      if (!over) takeTurn(waiting)?.start();
      else if (waiting.size === 0) scheduled = false;
      else if (tookMs >= restFromMs) setTimeout(run, Math.min(tookMs, maxRestMs));
      else setImmediate(run);
    };
    // Each callback starts one turn. The work of a turn runs until it waits for something, and only then does the next
    // callback run.
    for (let turn = 0; turn < maxTurns; turn++) setImmediate(step, true);
    setImmediate(step, false);
  };

  const wait = (owner: string, turn: Turn) => {
    const turns = waiting.get(owner);
    if (turns) turns.push(turn);
    else waiting.set(owner, [turn]);
    if (scheduled) return;
    scheduled = true;
    run();
  };

  const next = (owner: string) => new Promise<void>((start) => (closed ? start() : wait(owner, { start })));
  const first = (owner: string) =>
    new Promise<void>((start, refuse) => (closed ? refuse(closed) : wait(owner, { start, refuse })));

  return {
    next,
    async begin(owner, bytes) {
      const size = Math.max(bytes, minBytesHeld);
      if (!budget.take(owner, size)) throw tooManyWait();
      try {
        await first(owner);
      } finally {
        budget.giveBack(owner, size);
      }
      let begunMonoMs = monotonicMs();
      return async () => {
        if (monotonicMs() - begunMonoMs < sliceMs) return;
        await next(owner);
        begunMonoMs = monotonicMs();
      };
    },
    close(reason) {
      closed = reason;
      for (const { start, refuse } of [...waiting.values()].flat()) {
        if (refuse) refuse(reason);
        else start();
      }
      waiting.clear();
    },
  };
}

/** Removes and returns the first turn of the next owner, and moves that owner to the end. */
function takeTurn(waiting: Map<string, Turn[]>): Turn | undefined {
  for (const [owner, turns] of waiting) {
    const turn = turns.shift();
    waiting.delete(owner);
    if (turns.length > 0) waiting.set(owner, turns);
    return turn;
  }
  return undefined;
}

const tooManyWait = () =>
  new ServiceError('unavailable', 'Too many of your requests are waiting. Send this request again.', {
    retryAfterSeconds: 2,
  });
