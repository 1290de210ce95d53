import { expect } from 'vitest';
import { stripeSignature } from './stripe-events.ts';
import type { TestDaemon } from './test-daemon.ts';

/** The secret that signs the events of these tests. */
export const webhookSecret = 'whsec_of_this_test';

/** Posts a body with a signature to a daemon's webhook. */
export const sendRaw = (daemon: TestDaemon, body: string, signature: string | null, type = 'application/json') =>
  fetch(`${daemon.url}/api/billing/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...(signature !== null && { 'stripe-signature': signature }) },
  });

/** Posts a signed event; returns the status and the parsed body. */
export const send = async (daemon: TestDaemon, event: object) => {
  const body = JSON.stringify(event);
  const answer = await sendRaw(daemon, body, stripeSignature(body, webhookSecret));
  return [answer.status, await answer.json()] as const;
};

/** Posts signed events one after another. Expects that the daemon accepts each of them. */
export const accept = async (daemon: TestDaemon, events: readonly object[]) => {
  for (const event of events) expect(await send(daemon, event)).toEqual([200, { received: true }]);
};
