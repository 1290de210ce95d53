/** How a subscription stands. `incomplete` ones were never paid, and count as none. */
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'incomplete';

/**
 * What a payment provider's event says of one subscription. Events are seconds apart at best, and come in any order;
 * of one second they count in the order of these kinds.
 */
export const billingEventKinds = ['created', 'checkout', 'paid', 'failed', 'updated', 'deleted'] as const;

export interface BillingEvent {
  id: string;
  /** The event's own time, in epoch milliseconds. */
  at: number;
  kind: (typeof billingEventKinds)[number];
  /** The provider's id of the subscription. */
  subscription: string;
  /** What follows is null where the event does not say it. */
  user: string | null;
  plan: string | null;
  status: SubscriptionStatus | null;
  /** Epoch milliseconds. */
  periodStart: number | null;
  periodEnd: number | null;
}

export interface SubscriptionState {
  user: string | null;
  plan: string | null;
  status: SubscriptionStatus;
  periodStart: number | null;
  periodEnd: number | null;
  /** When its first event happened. */
  since: number;
}

/**
 * What all known events of a subscription come to, taken in the order of their own times: the order in which they
 * arrived makes no difference. Null for none.
 */
export function foldSubscription(events: readonly BillingEvent[]): SubscriptionState | null {
  const inOrder = events.toSorted(
    (a, b) =>
      a.at - b.at || billingEventKinds.indexOf(a.kind) - billingEventKinds.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
  );
  const [first] = inOrder;
  if (!first) return null;
  const none = { user: null, plan: null, status: 'incomplete', periodStart: null, periodEnd: null } as const;
  return inOrder.reduce<SubscriptionState>(apply, { ...none, since: first.at });
}

function apply(state: SubscriptionState, event: BillingEvent): SubscriptionState {
  const known = { ...state, user: event.user ?? state.user, plan: event.plan ?? state.plan };
  const said = {
    ...known,
    periodStart: event.periodStart ?? state.periodStart,
    periodEnd: event.periodEnd ?? state.periodEnd,
    status: event.status ?? state.status,
  };
  // What has ended stays so, whatever becomes of its last invoices.
  const { status } = state.status === 'canceled' ? state : said;
  if (event.kind === 'checkout') return { ...said, status: state.status === 'incomplete' ? status : state.status };
  if (event.kind === 'failed') return { ...known, status: state.status === 'active' ? status : state.status };
  // An old invoice may be paid late: that moves no period back.
  if (event.kind === 'paid') return { ...((event.periodEnd ?? 0) < (state.periodEnd ?? 0) ? known : said), status };
  return said;
}
