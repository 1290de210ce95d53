import { faultAt } from '@uptime/sdk/contract';
import type Stripe from 'stripe';
import type { BillingEvent } from '../core/subscription.ts';
import { invalid, notFound } from '../errors.ts';
import { readStripeEvent } from './stripe-event.ts';

/** How old a signature may be, and how far in the future its time may be. */
const windowSeconds = 300;

/**
 * Reads an event with a signature in Stripe's format. Throws `invalid_request` if the event is invalid, or if its
 * signature is missing, wrong, too old or too far in the future. Throws `not_found` if no secret is set. See
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function readSignedEvent(
  stripe: Stripe,
  secret: string | null,
  { body, signature, now }: { body: Buffer; signature: string | undefined; now: number },
): BillingEvent | null {
  if (secret === null) throw notFound('address');
  // The library accepts a signature with a future time, so its event could be replayed for longer than the window. If
  // the header contains more than one time, the library uses the last one. This function refuses a signature if any of
  // these times is too far in the future.
  const times = [...(signature ?? '').matchAll(/t=(\d+)/g)].map(([, time]) => Number(time));
  if (times.some((time) => time * 1000 > now + windowSeconds * 1000)) throw notSigned(null);
  let event: unknown;
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', secret, windowSeconds, undefined, now);
  } catch (error) {
    throw notSigned(error);
  }
  return readStripeEvent(event);
}

const notSigned = (cause: unknown) => Object.assign(invalid([faultAt('stripe-signature', 'bad_signature')]), { cause });
