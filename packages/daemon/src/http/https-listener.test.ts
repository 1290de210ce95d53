import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { ask } from '../testing/ask.ts';
import { tryHandshake } from '../testing/try-handshake.ts';
import { readSlowly } from '../testing/read-slowly.ts';
import { makeCertificate } from '../testing/targets/certificates.ts';
import type { MoreListeners } from './accept-more.ts';
import { listenHttps } from './https-listener.ts';
import { closing } from './listen.ts';

const close = (server: Server, more: MoreListeners) =>
  closing(server, more, () => new Promise((closed) => server.close(closed)));

test('a handshake for a name without a certificate costs one look-up in memory, and gets a TLS alert', async () => {
  const { cert, key } = await makeCertificate({ hosts: ['status.example.com'] });
  const context = createSecureContext({ cert, key });
  let looks = 0;
  const { server, more } = await listenHttps({
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
  const refused = await Promise.all(Array.from({ length: 200 }, (_, n) => tryHandshake(port, `x${n}.example`)));
  expect(new Set(refused)).toEqual(new Set(['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE']));
  expect(looks).toBe(200);
  expect(await tryHandshake(port, '')).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
  expect((await ask(port, 'status.example.com', '/', { ca: cert })).body).toBe('hello status.example.com');
  await close(server, more);
});

test('the server disconnects a client that only writes and reads nothing, and keeps a slow reader', async () => {
  const silence = 1500;
  const { cert, key } = await makeCertificate({ hosts: ['status.example.com'] });
  const context = createSecureContext({ cert, key });
  const body = 'x'.repeat(40_000_000);
  const { server, more } = await listenHttps({
    host: '127.0.0.1',
    port: 0,
    domains: { contextOf: () => context },
    answer: (_, response) => response.end(body),
    unreadTimeoutMs: silence,
  });
  const ask = async () => {
    const accepted = once(server, 'secureConnection') as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', servername: 'status.example.com', ca: cert });
    client
      .on('error', () => undefined)
      .write('GET / HTTP/1.1\r\nhost: status.example.com\r\nconnection: close\r\n\r\n');
    const [socket] = await accepted;
    const begunMonoMs = performance.now();
    return { client, lasted: once(socket, 'close').then(() => performance.now() - begunMonoMs) };
  };
  const slow = await ask();
  const notReading = await ask();
  const talking = await ask();
  const timer = setInterval(() => talking.client.write('\r\n'), 100);
  try {
    expect(await readSlowly(slow.client, (3 * silence) / 20)).toBeGreaterThan(body.length);
    expect(await slow.lasted).toBeGreaterThan(2 * silence);
    for (const { lasted } of [notReading, talking]) expect(await lasted).toBeGreaterThanOrEqual(silence);
  } finally {
    clearInterval(timer);
    for (const { client } of [notReading, talking]) client.destroy();
    await close(server, more);
  }
});

test('the error for a port in use names the setting that changes the port', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  await expect(
    listenHttps({ host: '127.0.0.1', port, domains: { contextOf: () => null }, answer: () => {} }),
  ).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use: choose another one with UPTIME_HTTPS_PORT or --https-port.`);
  holder.close();
  await once(holder, 'close');
});
