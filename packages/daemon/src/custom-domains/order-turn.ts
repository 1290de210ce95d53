import type { Clock } from '../deps.ts';
import { giveLeaseBack, takeLease } from '../store/lease.ts';
import type { Store } from '../store/store.ts';

const name = 'certificates';
/** If the node that orders certificates does not renew its lease for this time, another node takes over the orders. */
const leaseMs = 30_000;
/** Running orders are aborted this long before the lease ends. */
const marginMs = 5000;

/** The lease that lets only one node at a time order certificates. */
export interface OrderTurn {
  /** Takes or renews the lease, and resolves with whether this node may order now. Call it once a second. */
  take(): Promise<boolean>;
  /** Returns the signal for orders that begin now. It is aborted when this node may no longer order. */
  signal(): AbortSignal;
  giveBack(): Promise<void>;
}

/** Creates the lease of this node. `holder` is the node's name; null for a node that never orders. */
export function createOrderTurn(store: Store, clock: Clock, holder: string | null): OrderTurn {
  if (holder === null) {
    const never = new AbortController().signal;
    return { take: async () => false, signal: () => never, giveBack: async () => {} };
  }
  let turn = new AbortController();
  let cancel = () => {};
  return {
    async take() {
      const now = clock.now();
      const until = now + leaseMs;
      cancelAt(clock.monotonicMs() + leaseMs - marginMs, await takeLease(store, { name, holder, now, until }));
      return !turn.signal.aborted;
    },
    signal: () => turn.signal,
    async giveBack() {
      cancel();
      turn.abort(new Error('This node gave back its lease on the orders of certificates.'));
      await giveLeaseBack(store, { name, holder });
    },
  };

  function cancelAt(atMonoMs: number, isTaken: boolean): void {
    cancel();
    const end = () => turn.abort(new Error('This node lost its lease on the orders of certificates.'));
    if (!isTaken) return end();
    if (turn.signal.aborted) turn = new AbortController();
    cancel = clock.after(Math.max(0, atMonoMs - clock.monotonicMs()), end);
  }
}
