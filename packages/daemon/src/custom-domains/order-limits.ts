import { dayMs, hourMs } from '../core/uptime.ts';

interface Limit {
  /**
   * Number of orders that may begin at once. After that, the same number may begin in each period, spread evenly over
   * the period.
   */
  maxOrders: number;
  periodMs: number;
}

/**
 * The limits on orders: for all names, for one registrable domain, and for one account of this server. The first two
 * limits are below the limits of Let's Encrypt, which counts in the same way.
 */
export const orderLimits = {
  all: { maxOrders: 250, periodMs: 3 * hourMs },
  domain: { maxOrders: 40, periodMs: 7 * dayMs },
  account: { maxOrders: 10, periodMs: hourMs },
} satisfies Record<string, Limit>;

/**
 * If the authority asks this server to wait, all orders wait, at most for this time. The authority's limits on all
 * orders of this server end within this time. A longer wait concerns only one domain.
 */
const maxHoldMs = 3 * hourMs;

export const authorityAskedToWait = 'The certificate authority asked to wait';

/** The state that is stored for the next start. */
export interface OrderLimitsState {
  /** For each token bucket: when it will be full again if no more orders use it. Full buckets are left out. */
  fullAt: Record<string, number>;
  /**
   * The times when the authority accepts orders again: for all names (key `all`), and for single domains (the key of
   * the domain's bucket).
   */
  heldUntil: Record<string, number>;
}

/** Why an order waits, and when the wait ends, in epoch milliseconds. */
export interface OrderWait {
  until: number;
  reason: string;
}

/** A certificate to order. `account` is the user whose page has the name; null for the site's own name. */
export interface WantedOrder {
  name: string;
  account: string | null;
}

/**
 * Creates the limits on orders as token buckets: one for all orders, one for each registrable domain, and one for each
 * account.
 */
export async function createOrderLimits({ fullAt = {}, heldUntil = {} }: Partial<OrderLimitsState> = {}) {
  const { ownerDomain } = await import('./owner-domain.ts');
  const full = new Map(Object.entries(fullAt));
  const held = new Map(Object.entries(heldUntil));

  const bucketsOf = ({ name, account }: WantedOrder) => {
    const domain = ownerDomain(name);
    return [
      { key: `domain ${domain}`, limit: orderLimits.domain, of: `for ${domain} in a week` },
      ...(account === null
        ? []
        : [{ key: `account ${account}`, limit: orderLimits.account, of: 'for one account in an hour' }]),
      { key: 'all', limit: orderLimits.all, of: 'in three hours' },
    ];
  };

  return {
    /** Returns why this order has to wait, and when the wait ends; null if it may begin now. */
    waitOf(order: WantedOrder, now: number): OrderWait | null {
      const waits = bucketsOf(order).flatMap(({ key, limit, of }): OrderWait[] => {
        const freeAt = (full.get(key) ?? now) - limit.periodMs + limit.periodMs / limit.maxOrders;
        return [
          { until: held.get(key) ?? 0, reason: authorityAskedToWait },
          { until: freeAt, reason: `This server orders at most ${limit.maxOrders} certificates ${of}` },
        ];
      });
      const last = waits.reduce((one, other) => (other.until > one.until ? other : one));
      return last.until > now ? last : null;
    },
    take(order: WantedOrder, now: number): void {
      for (const { key, limit } of bucketsOf(order))
        full.set(key, Math.max(full.get(key) ?? now, now) + limit.periodMs / limit.maxOrders);
    },
    /**
     * Records that the authority accepts no orders for `ms` milliseconds. Orders for the domain of this name wait for
     * the whole time. All other orders wait for at most `maxHoldMs`.
     */
    hold(name: string, ms: number, now: number): void {
      held.set(`domain ${ownerDomain(name)}`, now + ms);
      held.set('all', now + Math.min(ms, maxHoldMs));
    },
    /** Returns the time when the authority accepts orders again; null if it accepts them now. */
    heldUntil: (now: number): number | null => {
      const until = held.get('all') ?? 0;
      return until > now ? until : null;
    },
    state(now: number): OrderLimitsState {
      for (const kept of [full, held]) for (const [key, at] of kept) if (at <= now) kept.delete(key);
      return { fullAt: Object.fromEntries(full), heldUntil: Object.fromEntries(held) };
    },
  };
}

export type OrderLimits = Awaited<ReturnType<typeof createOrderLimits>>;
