import { expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { acmeTarget } from '../testing/targets/acme.ts';
import { httpTarget } from '../testing/targets/index.ts';
import { createOrderCertificate } from './acme-order.ts';

const never = new AbortController().signal;

test('all orders use one account at the authority, even after a restart, and the account gets the current mail address', async () => {
  const proofs = new Map<string, string>();
  await using site = await httpTarget(({ url }, response) => void response.end(proofs.get(url!.split('/').at(-1)!)));
  await using authority = await acmeTarget();
  authority.challengePort = site.port;
  let key: string | null = null;
  const accountKey = { read: async () => key, write: async (pem: string) => void (key = pem) };
  const show = async (token: string, proof: string) => void proofs.set(token, proof);
  const start = (email: string | null) => {
    const options = { email, accountKey, proofs: { show, remove: async () => {} } };
    const order = createOrderCertificate(systemClock, { directoryUrl: authority.directoryUrl, ...options });
    return (name: string) => order(name, { stop: never, abandon: never, onWait: () => {} });
  };
  const first = start(null);
  // Both orders begin before an account exists.
  const together = await Promise.all([first('one.example.com'), first('two.example.com')]);
  expect(together.every((pem) => pem.includes('-----BEGIN CERTIFICATE-----'))).toBe(true);
  expect(await start(null)('three.example.com')).toContain('-----BEGIN CERTIFICATE-----');
  expect(await start('ops@example.com')('four.example.com')).toContain('-----BEGIN CERTIFICATE-----');
  expect(authority.contacts).toEqual([['mailto:ops@example.com']]);
});
