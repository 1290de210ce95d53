import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { httpTarget } from '../testing/targets/index.ts';
import { createOrderCertificate } from './order-certificate.ts';

test('an authority is asked for plain text, and encoded answers are not decoded', async () => {
  await using authority = await httpTarget((_request, response) => {
    const directory = JSON.stringify({ newNonce: `${authority.url}/nonce`, newAccount: `${authority.url}/account` });
    response.writeHead(200, { 'content-encoding': 'br', 'content-type': 'application/json' });
    response.end(brotliCompressSync(directory));
  });
  const order = createOrderCertificate(systemClock, {
    directoryUrl: authority.url,
    email: null,
    accountKey: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    proofs: new Map(),
  });
  await expect(order('status.example.com', new AbortController().signal)).rejects.toThrow(
    "The certificate authority's answer is encoded as br, which was not asked for.",
  );
  // Only the directory was requested, and its answer was never read.
  expect(authority.requests.map(({ url, headers }) => [url, headers['accept-encoding']])).toEqual([['/', 'identity']]);
});
