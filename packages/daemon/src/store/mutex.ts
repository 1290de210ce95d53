/** Admits one caller at a time. */
export interface Mutex {
  /**
   * Waits until the caller is admitted. Resolves with a function that the caller must call when its work has ended.
   * Rejects with `late()` after `timeoutMs`. Urgent callers come first, but not twice in a row while other callers
   * wait. Apart from that, the order of arrival decides.
   */
  acquire(timeoutMs: number, late: () => Error, urgent?: boolean): Promise<() => void>;
}

/** The limit `sliceMs` on the time that consecutive callers may take in one turn of the event loop. */
export interface TurnLimit {
  monotonicMs: () => number;
  sliceMs: number;
}

/**
 * Returns a mutex. If it has a limit, and its callers took `sliceMs` in one turn of the event loop, the next caller
 * waits for another turn, unless it is urgent. Without a limit, many short transactions could run in one long turn.
 */
export function createMutex(limit?: TurnLimit): Mutex {
  const waiting: (() => void)[] = [];
  const urgentlyWaiting: (() => void)[] = [];
  let taken = false;
  let wasUrgent = false;
  /** Whether `admitSoon` has scheduled the admission of the next caller for the next turn. */
  let admitsSoon = false;
  const isTurnOver = limit ? createTurnWatch(limit) : () => false;

  const mayBeUrgent = () => !wasUrgent || waiting.length === 0;
  const admit = () => {
    const urgent = urgentlyWaiting.length > 0 && mayBeUrgent();
    const enter = (urgent ? urgentlyWaiting : waiting).shift();
    if (!enter) return;
    taken = true;
    wasUrgent = urgent;
    enter();
  };
  const admitSoon = () => {
    if (admitsSoon) return;
    admitsSoon = true;
    setImmediate(() => {
      admitsSoon = false;
      // An urgent caller may have been admitted before this turn. When its work ends, the next caller is admitted.
      if (taken) return;
      // The first call of `isTurnOver` in a turn starts to measure how long the turn lasts.
      isTurnOver();
      admit();
    });
  };
  const createRelease = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      taken = false;
      if (waiting.length + urgentlyWaiting.length === 0) return;
      if (isTurnOver() && !(urgentlyWaiting.length > 0 && mayBeUrgent())) admitSoon();
      else admit();
    };
  };
  const mayEnter = (urgent: boolean) => !taken && (urgent ? mayBeUrgent() : !admitsSoon && !isTurnOver());

  return {
    async acquire(timeoutMs, late, urgent = false) {
      if (mayEnter(urgent)) {
        taken = true;
        wasUrgent = urgent;
        return createRelease();
      }
      const queue = urgent ? urgentlyWaiting : waiting;
      const entered = enterFrom(queue, timeoutMs, late);
      if (!taken) admitSoon();
      await entered;
      return createRelease();
    },
  };
}

/** Puts a caller in a queue, and waits until it is admitted. */
const enterFrom = (queue: (() => void)[], timeoutMs: number, late: () => Error): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(enter), 1);
      reject(late());
    }, timeoutMs);
    queue.push(enter);
  });

/**
 * Returns a function that says whether this turn of the event loop has lasted too long. The time begins with the first
 * call in the turn.
 */
function createTurnWatch({ monotonicMs, sliceMs }: TurnLimit): () => boolean {
  let begunMonoMs: number | null = null;
  const forget = () => {
    begunMonoMs = null;
  };
  return () => {
    if (begunMonoMs !== null) return monotonicMs() - begunMonoMs >= sliceMs;
    begunMonoMs = monotonicMs();
    setImmediate(forget);
    return false;
  };
}
