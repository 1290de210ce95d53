import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BodyBudget, createBodyBudget, type ReadBody, readBody } from './body-budget.ts';

let server: Server;
let budget: BodyBudget;
let read: (ReadBody | Error)[];
beforeEach(async () => {
  budget = createBodyBudget({ inAll: 300, perCaller: 200 });
  read = [];
  server = createServer((request: IncomingMessage, response) => {
    const caller = String(request.headers['x-caller']);
    readBody(request, { limit: 100, free: 10, caller, budget }, (error, found) => {
      read.push(error ?? found!);
      response.end(error ? 'error' : 'bytes' in found! ? String(found.bytes) : found!.refused);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const begin = async (caller: string, length: number, sent: string): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-caller: ${caller}\r\ncontent-length: ${length}\r\n\r\n${sent}`,
  );
  return socket;
};
const send = async (caller: string, body: string) =>
  (await text(await begin(caller, body.length, body))).split('\r\n').at(-1);
/** Sends a request whose body never ends. The body reserves 100 bytes, half of the caller's share. */
const hold = async (caller: string) => {
  const requested = once(server, 'request');
  const socket = await begin(caller, 100, 'x'.repeat(50));
  await requested;
  return socket;
};

test('a caller whose unfinished bodies fill its share can send no long body, but other callers can', async () => {
  const held = [await hold('one'), await hold('one')];
  await expect.poll(() => send('one', 'x'.repeat(11))).toBe('no_budget');
  expect(await send('one', 'short')).toBe('short');
  expect(await send('other', 'x'.repeat(100))).toBe('x'.repeat(100));
  for (const socket of held) socket.destroy();
  await expect.poll(() => send('one', 'x'.repeat(100))).toBe('x'.repeat(100));
});

test('the bodies of all callers together stay within the limit of the process', async () => {
  const held = [await hold('one'), await hold('two'), await hold('three')];
  await expect.poll(() => send('four', 'x'.repeat(11))).toBe('no_budget');
  for (const socket of held) socket.destroy();
  await expect.poll(() => send('four', 'x'.repeat(11))).toBe('x'.repeat(11));
});

test('a body longer than the limit is refused, and occupies no budget afterwards', async () => {
  for (let at = 0; at < 5; at++) expect(await send('one', 'x'.repeat(101))).toBe('too_large');
  expect(await send('one', 'x'.repeat(100))).toBe('x'.repeat(100));
});

test('readBody passes an error to its callback if the client disconnects', async () => {
  (await hold('one')).destroy();
  await expect.poll(() => read).toMatchObject([expect.any(Error)]);
});
