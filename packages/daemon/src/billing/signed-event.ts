import type Stripe from 'stripe';
import type { BillingEvent } from '../core/subscription.ts';
import { invalid, notFound } from '../errors.ts';
import { readStripeEvent } from './stripe-event.ts';

/** Seconds for which a signed event is taken. */
const window = 300;

/**
 * Reads an event that is signed as Stripe signs. Throws `invalid_request` for a signature that is missing, another's or
 * of another time, and `not_found` without a secret to verify it by. https://docs.stripe.com/webhooks#verify-manually
 */
export function readSignedEvent(
  stripe: Stripe,
  secret: string | null,
  { body, signature, now }: { body: Buffer; signature: string | undefined; now: number },
): BillingEvent | null {
  if (secret === null) throw notFound('address');
  // The library lets signatures of the future pass: they could be replayed for longer than the window.
  // Of several times it takes the last one: none may be of the future.
  const times = [...(signature ?? '').matchAll(/t=(\d+)/g)].map(([, time]) => Number(time));
  if (times.some((time) => time * 1000 > now + window * 1000)) throw notSigned(null);
  let event: unknown;
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', secret, window, undefined, now);
  } catch (error) {
    throw notSigned(error);
  }
  try {
    return readStripeEvent(event);
  } catch (error) {
    throw invalid([{ path: '', message: `must be an event: ${(error as Error).message}` }]);
  }
}

const notSigned = (cause: unknown) =>
  Object.assign(invalid([{ path: 'stripe-signature', message: 'must be a valid signature of this body, of now' }]), {
    cause,
  });
