/** Admits one caller at a time. */
export interface Mutex {
  /**
   * Resolves to the function that admits the next one. Rejects with `late()` after `timeout` milliseconds. Urgent
   * callers come before the others, but not twice in a row while others wait. Apart from that, callers are admitted in
   * order of arrival.
   */
  acquire(timeoutMs: number, late: () => Error, urgent?: boolean): Promise<() => void>;
}

/** How long admitted callers may follow each other in one turn of the event loop. */
export interface TurnLimit {
  monotonicMs: () => number;
  sliceMs: number;
}

/**
 * With a limit, the next one waits for the next turn of the event loop once those before it took that long in this turn.
 * Otherwise many short transactions would run one after another in one long turn.
 */
export function createMutex(limit?: TurnLimit): Mutex {
  const waiting: (() => void)[] = [];
  const urgentlyWaiting: (() => void)[] = [];
  let taken = false;
  let wasUrgent = false;
  const isTurnOver = limit ? createTurnWatch(limit) : () => false;

  const next = () => {
    const queue = urgentlyWaiting.length > 0 && (!wasUrgent || waiting.length === 0) ? urgentlyWaiting : waiting;
    wasUrgent = queue === urgentlyWaiting;
    return queue.shift();
  };
  const admit = () => {
    isTurnOver();
    const enter = next();
    if (enter) enter();
    else taken = false;
  };
  const admitSoon = () => {
    if (isTurnOver()) setImmediate(admit);
    else admit();
  };
  const createRelease = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (waiting.length + urgentlyWaiting.length > 0) admitSoon();
      else taken = false;
    };
  };

  return {
    async acquire(timeoutMs, late, urgent = false) {
      const isFree = !taken;
      taken = true;
      if (isFree && !isTurnOver()) {
        wasUrgent = urgent;
        return createRelease();
      }
      const queue = urgent ? urgentlyWaiting : waiting;
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(enter), 1);
          reject(late());
        }, timeoutMs);
        queue.push(enter);
        if (isFree) setImmediate(admit);
      });
      return createRelease();
    },
  };
}

/** Returns a function that says whether this turn of the event loop has taken too long since the first call in it. */
function createTurnWatch({ monotonicMs, sliceMs }: TurnLimit): () => boolean {
  let begunAt: number | null = null;
  const forget = () => {
    begunAt = null;
  };
  return () => {
    if (begunAt !== null) return monotonicMs() - begunAt >= sliceMs;
    begunAt = monotonicMs();
    setImmediate(forget);
    return false;
  };
}
