import { brotliCompressSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { type AcmeTarget, acmeTarget } from '../testing/targets/acme.ts';
import { httpTarget } from '../testing/targets/index.ts';
import { createOrderCertificate } from './acme-order.ts';

const never = new AbortController().signal;

test('an order asks for answers without encoding, and fails at an encoded answer without decoding it', async () => {
  await using authority = await httpTarget((_request, response) => {
    const directory = JSON.stringify({ newNonce: `${authority.url}/nonce`, newAccount: `${authority.url}/account` });
    response.writeHead(200, { 'content-encoding': 'br', 'content-type': 'application/json' });
    response.end(brotliCompressSync(directory));
  });
  const order = createOrderCertificate(systemClock, {
    directoryUrl: authority.url,
    email: null,
    accountKey: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    proofs: { show: async () => {}, remove: async () => {} },
  });
  await expect(order('status.example.com', { stop: never, abandon: never, onWait: () => {} })).rejects.toThrow(
    "The certificate authority's answer is encoded as br, which was not asked for.",
  );
  // The order requested only the directory, and failed before it read the body of the answer.
  expect(authority.requests.map(({ url, headers }) => [url, headers['accept-encoding']])).toEqual([['/', 'identity']]);
});

const fiveMinutes = 300_000;

/** Begins an order at a test authority, on a clock that the test moves. */
async function beginOrder(behaviour: AcmeTarget['behaviour'], retryAfter: string) {
  const clock = createFakeClock();
  const authority = await acmeTarget(() => clock.now());
  const proofs = new Map<string, string>();
  const site = await httpTarget(({ url }, response) => void response.end(proofs.get(url!.split('/').at(-1)!)));
  Object.assign(authority, { behaviour, retryAfter, challengePort: Number(new URL(site.url).port) });
  const order = createOrderCertificate(clock, {
    directoryUrl: authority.directoryUrl,
    email: null,
    accountKey: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    proofs: {
      show: async (token, proof) => void proofs.set(token, proof),
      remove: async (token) => void proofs.delete(token),
    },
  });
  const waits: (number | null)[] = [];
  const stopping = new AbortController();
  const ordered = order('status.example.com', {
    stop: stopping.signal,
    abandon: never,
    onWait: (until) => waits.push(until),
  });
  ordered.catch(() => {});
  return {
    clock,
    authority,
    proofs,
    ordered,
    waits,
    stopping,
    [Symbol.asyncDispose]: async () => void (await Promise.all([authority.close(), site.close()])),
  };
}

test('an order is polled again only after the wait that the authority asked for, and its proof stays published during the wait', async () => {
  await using world = await beginOrder('slow', '300');
  const { clock, authority, proofs, ordered, waits } = world;
  await vi.waitFor(() => expect(waits).toEqual([clock.now() + fiveMinutes]), 20_000);
  expect(authority.polls).toHaveLength(1);
  await clock.advance(fiveMinutes - 1);
  expect(authority.polls).toHaveLength(1);
  expect(proofs.size).toBe(1);
  authority.behaviour = 'kind';
  await clock.advance(1);
  expect(await ordered).toMatch(/-----BEGIN CERTIFICATE-----/);
  expect(waits).toEqual([clock.now(), null]);
  expect(authority.orders).toHaveLength(1);
  expect(proofs.size).toBe(0);
});

test('an order waits if the authority asks it to wait after the order is finalized', async () => {
  await using world = await beginOrder('busy', '300');
  const { clock, authority, ordered, waits } = world;
  await vi.waitFor(() => expect(waits).toEqual([clock.now() + fiveMinutes]), 20_000);
  // All polls so far asked for the decision about the proof.
  const polls = authority.polls.length;
  await clock.advance(fiveMinutes - 1);
  expect(authority.polls).toHaveLength(polls);
  authority.behaviour = 'kind';
  await clock.advance(1);
  expect(await ordered).toMatch(/-----BEGIN CERTIFICATE-----/);
});

test('an order fails if the authority asks it to wait for longer than an order may take', async () => {
  await using world = await beginOrder('slow', '700000');
  await expect(world.ordered).rejects.toThrow('did not decide before the end of the order');
});

test('a stop of the daemon aborts an order that waits', async () => {
  await using world = await beginOrder('slow', '300');
  await vi.waitFor(() => expect(world.waits).toHaveLength(1), 20_000);
  world.stopping.abort(new Error('The daemon is stopping.'));
  await expect(world.ordered).rejects.toThrow('The daemon is stopping.');
  expect(world.proofs.size).toBe(0);
});
