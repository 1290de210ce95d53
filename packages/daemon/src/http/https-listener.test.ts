import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { ask } from '../testing/ask.ts';
import { knock } from '../testing/knock.ts';
import { makeCertificate } from '../testing/targets/certificates.ts';
import { listenHttps } from './https-listener.ts';

test('names without a certificate are refused by an alert, each for one look in memory; the others are served', async () => {
  const { cert, key } = await makeCertificate({ hosts: ['status.example.com'] });
  const context = createSecureContext({ cert, key });
  let looks = 0;
  const server = await listenHttps({
    host: '127.0.0.1',
    port: 0,
    domains: {
      contextOf(name) {
        looks++;
        return name === 'status.example.com' ? context : null;
      },
    },
    answer: (request, response) => response.end(`hello ${request.headers.host}`),
  });
  const { port } = server.address() as AddressInfo;
  const refused = await Promise.all(Array.from({ length: 200 }, (_, n) => knock(port, `x${n}.example`)));
  expect(new Set(refused)).toEqual(new Set(['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE']));
  expect(looks).toBe(200);
  expect(await knock(port, '')).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
  expect((await ask(port, 'status.example.com', '/', { ca: cert })).body).toBe('hello status.example.com');
  server.close();
  await once(server, 'close');
});

test('a port that is taken is said in a sentence that names the setting', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  await expect(
    listenHttps({ host: '127.0.0.1', port, domains: { contextOf: () => null }, answer: () => {} }),
  ).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken: choose another by UPTIME_HTTPS_PORT or --https-port.`);
  holder.close();
  await once(holder, 'close');
});
