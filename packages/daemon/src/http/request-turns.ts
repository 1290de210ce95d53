/**
 * Shares the event loop among API requests. Requests take turns by owner, and between two turns the loop serves pings,
 * checks and alerts. So one owner's large requests delay neither pings nor other owners.
 */
export interface RequestTurns {
  /**
   * Resolves when the owner may work. The work until its next wait is one turn. Call it again before each further piece
   * of long work.
   */
  next(owner: string): Promise<void>;
  /** Gives a request its first turn. The returned function takes another one if the last one was long. */
  begin(owner: string): Promise<() => Promise<void>>;
}

/** Turns follow each other for this long, in milliseconds. Then the event loop goes round once. */
const sliceMs = 4;
/** Most turns that follow each other. */
const mostTurns = 8;
/** After turns of this length in all, the loop rests from requests for as long as they took. */
const restFromMs = 16;
/** Longest rest, in milliseconds. */
const longestRestMs = 100;

export function createRequestTurns(now: () => number): RequestTurns {
  /** Waiting turns by owner. The first owner is next, and then goes to the end. */
  const waiting = new Map<string, (() => void)[]>();
  let scheduled = false;

  const take = (): (() => void) | undefined => {
    for (const [owner, turns] of waiting) {
      const turn = turns.shift();
      waiting.delete(owner);
      if (turns.length > 0) waiting.set(owner, turns);
      return turn;
    }
    return undefined;
  };

  const run = () => {
    const begun = now();
    let over = false;
    const step = (mayTake: boolean) => {
      if (over) return;
      const tookMs = now() - begun;
      over = waiting.size === 0 || tookMs >= sliceMs || !mayTake;
      if (!over) take()?.();
      else if (waiting.size === 0) scheduled = false;
      else if (tookMs >= restFromMs) setTimeout(run, Math.min(tookMs, longestRestMs));
      else setImmediate(run);
    };
    // All work that follows from a turn without a wait is done before the next callback.
    for (let turn = 0; turn < mostTurns; turn++) setImmediate(step, true);
    setImmediate(step, false);
  };

  const next = (owner: string) =>
    new Promise<void>((resolve) => {
      const turns = waiting.get(owner);
      if (turns) turns.push(resolve);
      else waiting.set(owner, [resolve]);
      if (scheduled) return;
      scheduled = true;
      run();
    });

  return {
    next,
    async begin(owner) {
      await next(owner);
      let begun = now();
      return async () => {
        if (now() - begun < sliceMs) return;
        await next(owner);
        begun = now();
      };
    },
  };
}
