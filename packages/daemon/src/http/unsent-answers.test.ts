import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../testing/test-daemon.ts';
import { newServer } from './new-server.ts';
import { createUnsentAnswers, limitUnsentAnswers, type UnsentAnswers } from './unsent-answers.ts';

test('a network whose unsent answers exceed its limit loses the oldest of them, and other networks lose nothing', () => {
  const cut: string[] = [];
  const unsent = createUnsentAnswers({ inAll: 100, perNetwork: 50 });
  const add = (network: string, bytes: number, name: string) => unsent.add(network, bytes, () => cut.push(name));
  add('b', 40, 'b1');
  add('a', 20, 'a1');
  add('a', 20, 'a2');
  add('a', 20, 'a3');
  expect(cut).toEqual(['a1']);
});

test('beyond the limit of the process, the network with the most unsent bytes loses its oldest answer', () => {
  const cut: string[] = [];
  const unsent = createUnsentAnswers({ inAll: 100, perNetwork: 90 });
  const add = (network: string, bytes: number, name: string) => unsent.add(network, bytes, () => cut.push(name));
  add('a', 40, 'a1');
  add('a', 40, 'a2');
  add('b', 30, 'b1');
  expect(cut).toEqual(['a1']);
});

test('sent answers do not count towards the limits, and a single answer is sent even if it exceeds the limits', () => {
  const cut: string[] = [];
  const unsent = createUnsentAnswers({ inAll: 100, perNetwork: 50 });
  for (let at = 0; at < 10; at++) unsent.add('a', 40, () => cut.push('a'))();
  unsent.add('b', 500, () => cut.push('b'));
  expect(cut).toEqual([]);
});

test('the limit of unsent answers counts a body once, even if a network requested the body several times', () => {
  const cut: string[] = [];
  const unsent = createUnsentAnswers({ inAll: 100, perNetwork: 50 });
  const page = Buffer.from('page');
  const sent = Array.from({ length: 5 }, (_, at) => unsent.add('a', 40, () => cut.push(`page ${at}`), page));
  expect(cut).toEqual([]);
  for (const done of sent.slice(1)) done();
  unsent.add('a', 40, () => cut.push('other'), Buffer.from('other'));
  expect(cut).toEqual(['page 0']);
});

const megabyte = 1024 * 1024;
/** The text is larger than the buffers of the server's socket and of the client's socket together. */
const text = 'x'.repeat(16 * megabyte);
let app: FastifyInstance;
let sockets: Socket[];
/** The answers that the limit counts now. */
let held: Set<object>;
let asked: number;
let answered: number;
/** The answers of `/later` wait until this promise resolves. */
let later: PromiseWithResolvers<void>;
beforeEach(async () => {
  sockets = [];
  app = newServer(silentLog, { trustProxy: false });
  const counting = new Set<object>();
  held = counting;
  later = Promise.withResolvers();
  const unsent = createUnsentAnswers({ inAll: 1000 * megabyte, perNetwork: 40 * megabyte });
  const counted: UnsentAnswers = {
    add(...answer) {
      const sent = unsent.add(...answer);
      counting.add(answer);
      return () => {
        counting.delete(answer);
        sent();
      };
    },
  };
  limitUnsentAnswers(app, counted);
  [asked, answered] = [0, 0];
  app.addHook('onRequest', async () => void asked++);
  app.addHook('onSend', async () => void answered++);
  app.get('/later', async (_, reply) => {
    await later.promise;
    return reply.send(text);
  });
  app.get('/', (_, reply) => reply.send(text));
  app.get('/bytes', (_, reply) => reply.send(Buffer.from(text)));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  later.resolve();
  for (const socket of sockets) socket.destroy();
  await app.close();
});

test.each(['/', '/bytes'])(
  'the server closes connections of clients that do not read %s, the oldest first',
  async (path) => {
    const ask = async () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
      sockets.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await once(app.server, 'request');
      return socket;
    };
    const [first, second] = [await ask(), await ask()];
    const open = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
    expect(await open()).toBe(2);
    await ask();
    await expect.poll(open).toBe(2);
    first.on('error', () => {}).resume();
    await once(first, 'close');
    expect(second.destroyed).toBe(false);
  },
);

test('the limit of unsent answers does not count answers to a client that has disconnected', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(app.server, 'connection')) as [Socket];
  socket.write('GET /later HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
  await expect.poll(() => asked).toBe(3);
  socket.destroy();
  await once(accepted, 'close');
  later.resolve();
  await expect.poll(() => answered).toBe(3);
  expect(held.size).toBe(0);
});
