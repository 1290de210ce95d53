import { mayTake } from '../core/fair-share.ts';

/**
 * Maximum number of bytes that the bodies of all running checks hold together. One project may hold at most as many
 * bytes as stay free for other projects (core/fair-share.ts).
 */
export const maxCheckBodyBytes = 128 * 1024 * 1024;

/** The bytes reserved by one check. */
export interface ByteLease {
  /** Reserves more bytes. Calls `granted` at once, or when enough bytes have been given back. */
  take(bytes: number, granted: () => void): void;
  /** True while a `take` waits. */
  readonly waiting: boolean;
  /** Gives all bytes back. Drops the requests that still wait, and does not call their `granted`. */
  end(): void;
}

/** Counts the bytes that checks hold in memory, in total and for each owner. */
export interface ByteBudget {
  lease(owner: string): ByteLease;
  /** Bytes reserved now. */
  held(): number;
}

interface Request {
  lease: object;
  owner: string;
  bytes: number;
  granted: () => void;
}

/**
 * Creates a budget that divides `maxBytes` bytes fairly among owners. Each owner's requests are served in order. When
 * several owners wait, the owner that holds the fewest bytes comes first.
 */
export function createByteBudget(maxBytes = maxCheckBodyBytes): ByteBudget {
  let held = 0;
  const heldBy = new Map<string, number>();
  /** The waiting requests of each owner, in order. */
  const waiting = new Map<string, Request[]>();

  const add = (owner: string, bytes: number) => {
    held += bytes;
    const left = (heldBy.get(owner) ?? 0) + bytes;
    if (left === 0) heldBy.delete(owner);
    else heldBy.set(owner, left);
  };
  /** Whether a request can be granted now. When no bytes are held, even a request larger than the budget is granted. */
  const fits = ({ owner, bytes }: Request): boolean => {
    const own = heldBy.get(owner) ?? 0;
    return own === 0 && held === 0 ? true : bytes <= mayTake({ maxItems: maxBytes, used: held, own });
  };
  const serve = () => {
    const served: Request[] = [];
    const smallest = () =>
      [...waiting]
        .toSorted(([a], [b]) => (heldBy.get(a) ?? 0) - (heldBy.get(b) ?? 0))
        // Considers only each owner's first request, so an owner's small requests cannot overtake its large request.
        .find(([, [first]]) => first && fits(first));
    for (let next = smallest(); next; next = smallest()) {
      const [owner, queue] = next;
      const request = queue.shift()!;
      if (queue.length === 0) waiting.delete(owner);
      add(owner, request.bytes);
      served.push(request);
    }
    for (const { granted } of served) granted();
  };

  return {
    held: () => held,
    lease: (owner) => createLease(owner, { waiting, add, fits, serve }),
  };
}

/** The state that leases share. */
interface SharedBytes {
  waiting: Map<string, Request[]>;
  add: (owner: string, bytes: number) => void;
  fits: (request: Request) => boolean;
  /** Grants waiting requests that fit now. */
  serve: () => void;
}

function createLease(owner: string, { waiting, add, fits, serve }: SharedBytes): ByteLease {
  let own = 0;
  let pending = 0;
  const lease: ByteLease = {
    take(bytes, granted) {
      own += bytes;
      const request = { lease, owner, bytes, granted };
      if (!waiting.has(owner) && fits(request)) {
        add(owner, bytes);
        granted();
        return;
      }
      pending++;
      const queued = { ...request, granted: () => (pending--, granted()) };
      const queue = waiting.get(owner);
      if (queue) queue.push(queued);
      else waiting.set(owner, [queued]);
    },
    get waiting() {
      return pending > 0;
    },
    end() {
      if (own === 0) return;
      let unserved = 0;
      if (pending > 0) {
        const queue = waiting.get(owner) ?? [];
        for (const request of queue) if (request.lease === lease) unserved += request.bytes;
        const left = queue.filter((request) => request.lease !== lease);
        if (left.length > 0) waiting.set(owner, left);
        else waiting.delete(owner);
      }
      add(owner, unserved - own);
      own = 0;
      pending = 0;
      if (waiting.size > 0) serve();
    },
  };
  return lease;
}
