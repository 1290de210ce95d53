import { faultAt } from '@uptime/sdk/contract';
import * as z from 'zod';
import type { BillingEvent, SubscriptionStatus } from '../core/subscription.ts';
import { invalid } from '../errors.ts';

// The schemas below contain only the fields that this file reads.

/** Epoch seconds, up to the end of the year 9999. The daemon's API writes dates with years of four digits. */
const seconds = z.int().min(0).max(253_402_300_799);
/** A text without NUL, because PostgreSQL cannot store NUL. */
const word = z.string().regex(/^[^\0]*$/);
const metadata = z
  .object({ userId: word.optional(), planId: word.optional() })
  .nullish()
  .transform((given) => ({ user: given?.userId ?? null, plan: given?.planId ?? null }));
/** A reference to an object: its id, or the whole object if Stripe expanded it. */
const reference = z.union([word, z.object({ id: word }).transform(({ id }) => id)]);
/**
 * The paid period. Since 2025 Stripe sends it in each item of a subscription. Older events have it in the subscription
 * itself.
 */
const period = { current_period_start: seconds.nullish(), current_period_end: seconds.nullish() };

const subscription = z.object({
  id: word,
  status: z.string(),
  metadata,
  ...period,
  items: z.object({ data: z.array(z.object(period)) }).nullish(),
});

const checkoutSession = z.object({
  payment_status: z.string().nullish(),
  subscription: reference.nullish(),
  client_reference_id: word.nullish(),
  metadata,
});

const invoice = z.object({
  subscription: reference.nullish(),
  parent: z.object({ subscription_details: z.object({ subscription: reference, metadata }).nullish() }).nullish(),
  lines: z
    .object({ data: z.array(z.object({ period: z.object({ start: seconds, end: seconds }).nullish() })) })
    .nullish(),
});

const envelope = z.object({
  id: word,
  type: z.string(),
  created: seconds,
  data: z.object({ object: z.unknown() }),
});

type EventContent = Omit<BillingEvent, 'id' | 'at'>;

/** Functions that read the relevant events, by type. Events of other types are ignored. */
const readers: Record<string, (object: unknown) => EventContent | null> = {
  'customer.subscription.created': (object) => ofSubscription('created', object),
  'customer.subscription.updated': (object) => ofSubscription('updated', object),
  'customer.subscription.deleted': (object) => ({ ...ofSubscription('deleted', object), status: 'canceled' }),
  'checkout.session.completed': ofCheckout,
  'invoice.paid': (object) => ofInvoice('paid', object),
  'invoice.payment_failed': (object) => ofInvoice('failed', object),
};

/**
 * Returns what an event in Stripe's format says about a subscription; null if it says nothing. Throws a ServiceError
 * for an invalid event. The error names the missing or wrong fields.
 */
export function readStripeEvent(given: unknown): BillingEvent | null {
  const { id, type, created, data } = read(envelope, given, []);
  const event = Object.hasOwn(readers, type) ? readers[type]!(data.object) : null;
  return event && { ...event, id, at: created * 1000 };
}

/** Reads a part of an event. `at` is the path of the part. */
function read<S extends z.ZodType>(schema: S, given: unknown, at: readonly string[]): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => [...at, ...path].join('.')).filter((field) => field !== '');
  throw invalid([faultAt('', 'not_an_event', { fields })]);
}

const readObject = <S extends z.ZodType>(schema: S, object: unknown) => read(schema, object, ['data', 'object']);

function ofSubscription(kind: 'created' | 'updated' | 'deleted', object: unknown): EventContent {
  const { id, status, metadata, items, ...own } = readObject(subscription, object);
  const current = items?.data[0] ?? own;
  return {
    kind,
    subscription: id,
    ...metadata,
    status: statuses[status] ?? 'incomplete',
    periodStart: milliseconds(current.current_period_start ?? own.current_period_start),
    periodEnd: milliseconds(current.current_period_end ?? own.current_period_end),
  };
}

/** https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
const statuses: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  canceled: 'canceled',
  unpaid: 'canceled',
  paused: 'canceled',
};

function ofCheckout(object: unknown): EventContent | null {
  const session = readObject(checkoutSession, object);
  if (!session.subscription) return null;
  return {
    kind: 'checkout',
    subscription: session.subscription,
    user: session.metadata.user ?? session.client_reference_id ?? null,
    plan: session.metadata.plan,
    // Some payments, such as bank transfers, take days. Stripe then completes the checkout before the payment arrives.
    status: session.payment_status === 'unpaid' ? null : 'active',
    periodStart: null,
    periodEnd: null,
  };
}

function ofInvoice(kind: 'paid' | 'failed', object: unknown): EventContent | null {
  const { subscription: own, parent, lines } = readObject(invoice, object);
  const details = parent?.subscription_details;
  const of = details?.subscription ?? own;
  if (!of) return null;
  const periods = (lines?.data ?? []).flatMap((line) => line.period ?? []).toSorted((a, b) => b.end - a.end);
  return {
    kind,
    subscription: of,
    user: details?.metadata.user ?? null,
    plan: details?.metadata.plan ?? null,
    status: kind === 'paid' ? 'active' : 'past_due',
    periodStart: milliseconds(periods[0]?.start),
    periodEnd: milliseconds(periods[0]?.end),
  };
}

const milliseconds = (time: number | null | undefined): number | null => (time ? time * 1000 : null);
