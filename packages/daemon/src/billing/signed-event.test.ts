import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { stripeSignature } from '../testing/stripe-events.ts';
import { readSignedEvent } from './signed-event.ts';

const secret = 'whsec_of_this_test';
const at = 1_700_000_000;
const event = { id: 'evt_1', type: 'charge.succeeded', created: at, data: { object: {} } };
const payload = JSON.stringify(event);
const read = (signature: string, body = payload) =>
  readSignedEvent(new Stripe('none'), secret, { body: Buffer.from(body), signature, now: at * 1000 });

test('readSignedEvent refuses a signature with a future time, even if the signature also has a current time', () => {
  expect(read(stripeSignature(payload, secret, at + 290))).toBeNull();
  const future = stripeSignature(payload, secret, at + 310);
  expect(() => read(future)).toThrow(/stripe-signature|not valid/);
  expect(() => read(`t=${at},${future}`)).toThrow(/stripe-signature|not valid/);
  expect(() => read(`${future},t=${at}`)).toThrow(/stripe-signature|not valid/);
});

test.each([
  ['fields of the event', { ...event, id: 5, created: 'now' }, 'id, created'],
  [
    'the object of the event',
    { ...event, type: 'customer.subscription.updated' },
    'data.object.id, data.object.status',
  ],
])('if %s are missing or wrong, the fault names the fields', (_, content, fields) => {
  const body = JSON.stringify(content);
  expect(() => read(stripeSignature(body, secret, at), body)).toThrow(
    expect.objectContaining({
      faults: [expect.objectContaining({ code: 'not_an_event', params: { fields: fields.split(', ') } })],
    }) as Error,
  );
});

test('an event must be an object', () => {
  expect(() => read(stripeSignature('[]', secret, at), '[]')).toThrow("must be an event in Stripe's format");
});
