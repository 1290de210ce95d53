/** What the bodies under way may hold together, and those of one project. */
export const bodyBytes = 128 * 1024 * 1024;
export const bodyBytesOfProject = bodyBytes / 2;

/** The bytes that one check has set aside. */
export interface ByteLease {
  /** Sets more bytes aside and calls `granted`: at once, or once others have given back enough. */
  take(bytes: number, granted: () => void): void;
  /** True while a `take` waits. */
  readonly waiting: boolean;
  /** Gives everything back. What still waits is never granted. */
  end(): void;
}

/** Counts the bytes that checks hold in memory, in all and for each owner. */
export interface ByteBudget {
  lease(owner: string): ByteLease;
  /** Bytes that are set aside now. */
  held(): number;
}

interface Request {
  lease: object;
  owner: string;
  bytes: number;
  granted: () => void;
}

/** A budget of `most` bytes, of which one owner gets `mostOfOwner`. Whoever waits is served in order, each owner by its own. */
export function createByteBudget(most = bodyBytes, mostOfOwner = bodyBytesOfProject): ByteBudget {
  let held = 0;
  const heldBy = new Map<string, number>();
  let waiting: Request[] = [];

  const add = (owner: string, bytes: number) => {
    held += bytes;
    const left = (heldBy.get(owner) ?? 0) + bytes;
    if (left === 0) heldBy.delete(owner);
    else heldBy.set(owner, left);
  };
  /** Takes the bytes where there are some. A request larger than the whole budget is served when its owner holds nothing. */
  const fits = ({ owner, bytes }: Request): boolean => {
    const own = heldBy.get(owner) ?? 0;
    return own === 0 && held === 0 ? true : held + bytes <= most && own + bytes <= mostOfOwner;
  };
  const serve = () => {
    const skipped = new Set<string>();
    const left: Request[] = [];
    const served: Request[] = [];
    for (const request of waiting) {
      // A large request of an owner is not overtaken for ever by its small ones.
      if (skipped.has(request.owner) || !fits(request)) {
        skipped.add(request.owner);
        left.push(request);
        continue;
      }
      add(request.owner, request.bytes);
      served.push(request);
    }
    waiting = left;
    for (const { granted } of served) granted();
  };

  return {
    held: () => held,
    lease(owner) {
      let own = 0;
      let pending = 0;
      const lease: ByteLease = {
        take(bytes, granted) {
          own += bytes;
          const request = { lease, owner, bytes, granted };
          if (waiting.length === 0 && fits(request)) {
            add(owner, bytes);
            granted();
            return;
          }
          pending++;
          waiting.push({ ...request, granted: () => (pending--, granted()) });
          serve();
        },
        get waiting() {
          return pending > 0;
        },
        end() {
          if (own === 0) return;
          let unserved = 0;
          if (pending > 0) {
            for (const request of waiting) if (request.lease === lease) unserved += request.bytes;
            waiting = waiting.filter((request) => request.lease !== lease);
          }
          add(owner, unserved - own);
          own = 0;
          pending = 0;
          if (waiting.length > 0) serve();
        },
      };
      return lease;
    },
  };
}
