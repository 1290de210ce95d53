/** The status of a subscription. An `incomplete` subscription was never paid, so it gives its buyer no plan. */
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'incomplete';

/**
 * The kinds of events of a payment provider. Events have times in seconds and arrive in any order. Events of the same
 * second are applied in the order of this list.
 */
export const billingEventKinds = ['created', 'checkout', 'paid', 'failed', 'updated', 'deleted'] as const;

export interface BillingEvent {
  id: string;
  /** When the event happened, in epoch milliseconds. */
  at: number;
  kind: (typeof billingEventKinds)[number];
  /** The provider's id of the subscription. */
  subscription: string;
  /** This field and each following field is null if the event lacks it. */
  user: string | null;
  plan: string | null;
  status: SubscriptionStatus | null;
  periodStart: number | null;
  periodEnd: number | null;
}

export interface SubscriptionState {
  user: string | null;
  plan: string | null;
  status: SubscriptionStatus;
  periodStart: number | null;
  periodEnd: number | null;
  /** When the first event of the subscription happened. */
  since: number;
}

/**
 * Returns the state of a subscription after all its known events, applied in the order in which they happened. The
 * order in which they arrived makes no difference. Returns null without events.
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
  const reported = {
    ...known,
    periodStart: event.periodStart ?? state.periodStart,
    periodEnd: event.periodEnd ?? state.periodEnd,
    status: event.status ?? state.status,
  };
  // A canceled subscription stays canceled, whatever happens to its last invoices.
  const { status } = state.status === 'canceled' ? state : reported;
  if (event.kind === 'checkout') return { ...reported, status: state.status === 'incomplete' ? status : state.status };
  if (event.kind === 'failed') return { ...known, status: state.status === 'active' ? status : state.status };
  // A late payment for an old invoice does not move the period back.
  if (event.kind === 'paid') return { ...((event.periodEnd ?? 0) < (state.periodEnd ?? 0) ? known : reported), status };
  return reported;
}
