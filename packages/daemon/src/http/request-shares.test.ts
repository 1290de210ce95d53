import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { nextTurn } from '../wait.ts';
import { createRequestShares, shareRequests, maxSliceMs } from './request-shares.ts';

const [flood, neighbour] = ['203.0.113.7', '198.51.100.1'];

/**
 * Returns `send`, which sends a request from an address, and `begun`, the addresses of the requests that have begun. By
 * the fake clock, each request takes a millisecond to begin.
 */
function shares() {
  let now = 0;
  const begun: string[] = [];
  const share = createRequestShares(() => now);
  const send = (address: string) =>
    share(address, () => {
      now++;
      begun.push(address);
    });
  return { send, begun };
}

test('a few requests begin without a delay', () => {
  const { send, begun } = shares();
  for (let sent = 1; sent <= maxSliceMs; sent++) {
    send(flood);
    expect(begun).toHaveLength(sent);
  }
});

test('a thousand requests that arrive together begin over many turns of the event loop, and networks alternate', async () => {
  const { send, begun } = shares();
  for (let sent = 0; sent < 1000; sent++) send(flood);
  send(neighbour);
  expect(begun).toHaveLength(maxSliceMs);
  let longest = 0;
  while (begun.length < 1001) {
    const before = begun.length;
    await nextTurn();
    longest = Math.max(longest, begun.length - before);
  }
  // In one pass of the loop above, requests may begin in two turns of the event loop.
  expect(longest).toBeLessThanOrEqual(2 * maxSliceMs);
  expect(begun.indexOf(neighbour)).toBeLessThanOrEqual(maxSliceMs + 1);
});

test('the requests of one network begin in the order in which they arrived', async () => {
  let now = 0;
  const share = createRequestShares(() => now);
  const begun: number[] = [];
  for (let sent = 0; sent < 100; sent++) {
    share(flood, () => {
      now += 5;
      begun.push(sent);
    });
  }
  while (begun.length < 100) await nextTurn();
  expect(begun).toEqual(Array.from({ length: 100 }, (_, at) => at));
});

test('a server answers all requests that arrive together', async () => {
  let now = 0;
  let answered = 0;
  const server = createServer((_, response) => {
    now += maxSliceMs;
    response.end('ok', () => answered++);
  });
  shareRequests(server, () => now);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.resume().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => answered).toBe(50);
    expect(now).toBe(50 * maxSliceMs);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});
