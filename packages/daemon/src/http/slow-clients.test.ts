import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { readSlowly } from '../testing/read-slowly.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { parseJsonBodies } from './body.ts';
import { createBodyBudget } from './body-budget.ts';
import { clientLimits } from './client-limits.ts';
import { newServer } from './new-server.ts';

const quick = { ...clientLimits, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 20 };
let app: FastifyInstance;
let port: number;

beforeEach(async () => {
  app = newServer(silentLog, { trustProxy: false, limits: quick });
  parseJsonBodies(app, createBodyBudget(), { next: async () => {} });
  app.post('/', async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => app.close());

const open = async (at = port): Promise<Socket> => {
  const socket = connect(at, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/**
 * Sends the text `first`, and then a byte every 30 ms. Returns the server's answer, and after how many milliseconds it
 * was complete.
 */
async function drip(socket: Socket, first: string): Promise<{ answer: string; after: number }> {
  const begunMonoMs = performance.now();
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 30);
  socket.on('error', () => clearInterval(timer));
  const answer = await text(socket);
  clearInterval(timer);
  return { answer, after: performance.now() - begunMonoMs };
}

test('if headers trickle in, the server refuses them with a problem document', async () => {
  const { answer, after } = await drip(await open(), 'POST / HTTP/1.1\r\nhost: x\r\nx-slow: ');
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*took too long/s);
  expect(after).toBeGreaterThanOrEqual(quick.headersTimeout);
});

test('the server refuses a body that trickles in', async () => {
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n';
  const { answer, after } = await drip(await open(), head);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(after).toBeGreaterThanOrEqual(quick.requestTimeout);
});

test('the server closes a connection that sends nothing', async () => {
  const socket = await open();
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
});

test('the server accepts headers of almost 16 KiB, and refuses longer headers', async () => {
  const own = newServer(silentLog, { trustProxy: false });
  own.get('/', async () => ({ ok: true }));
  await own.listen({ host: '127.0.0.1', port: 0 });
  try {
    for (const [size, status] of [
      [clientLimits.maxHeaderSize - 200, 200],
      [clientLimits.maxHeaderSize + 1, 400],
    ] as const) {
      const socket = await open((own.server.address() as AddressInfo).port);
      socket.end(`GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx: ${'y'.repeat(size)}\r\n\r\n`);
      expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  } finally {
    await own.close();
  }
});

/** Starts a server that accepts at most `maxConnections` connections. Its clients keep their connections open. */
async function crowd(maxConnections: number) {
  const own = newServer(silentLog, { trustProxy: false, maxConnections });
  own.get('/', async () => ({ ok: true }));
  const waiting = Promise.withResolvers<void>();
  own.get('/slow', () => waiting.promise.then(() => ({ ok: true })));
  await own.listen({ host: '127.0.0.1', port: 0 });
  const { port: at } = own.server.address() as AddressInfo;
  return {
    waiting,
    close: () => own.close(),
    /** Connects from the given local address, and requests a path. */
    async ask(path: string, localAddress = '127.0.0.1') {
      const socket = connect({ port: at, host: '127.0.0.1', localAddress }).on('error', () => undefined);
      const answer = once(socket, 'data').then(([chunk]) => String(chunk).split(' ')[1]);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return { socket, answer };
    },
  };
}

test('at the limit, a new connection replaces the oldest idle connection, not a connection that waits for an answer', async () => {
  const server = await crowd(3);
  try {
    const slow = await server.ask('/slow');
    const idle = [await server.ask('/'), await server.ask('/')];
    for (const { answer } of idle) expect(await answer).toBe('200');
    const closed = once(idle[0]!.socket, 'close');
    expect(await (await server.ask('/')).answer).toBe('200');
    await closed;
    server.waiting.resolve();
    expect(await slow.answer).toBe('200');
  } finally {
    await server.close();
  }
});

test('at the limit, the network with the most connections loses a connection, whichever network connects next', async () => {
  const server = await crowd(5);
  try {
    const quiet = await server.ask('/', '127.0.0.2');
    expect(await quiet.answer).toBe('200');
    let closed = false;
    quiet.socket.once('close', () => (closed = true));
    for (let count = 0; count < 20; count++) expect(await (await server.ask('/')).answer).toBe('200');
    expect(await (await server.ask('/', '127.0.0.3')).answer).toBe('200');
    expect(closed).toBe(false);
  } finally {
    await server.close();
  }
});

test('the server disconnects clients that neither read nor disconnect, and keeps slow readers', async () => {
  const silence = 1500;
  const body = 'x'.repeat(40_000_000);
  const serve = async (limits: typeof clientLimits) => {
    const own = newServer(silentLog, { trustProxy: false, unreadTimeoutMs: silence, limits });
    own.get('/', async () => body);
    own.get('/part', async () => 'y'.repeat(10_000));
    await own.listen({ host: '127.0.0.1', port: 0 });
    return own;
  };
  const refusing = await serve(quick);
  // This server has the usual limits. A busy server may read requests so late that it would refuse them under the quick
  // limits.
  const answering = await serve(clientLimits);
  const ask = async (own: FastifyInstance, request: string) => {
    const accepted = once(own.server, 'connection') as Promise<[Socket]>;
    const { port: at } = own.server.address() as AddressInfo;
    const client = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
    client.write(request);
    const [server] = await accepted;
    const begunMonoMs = performance.now();
    return { client, lasted: once(server, 'close').then(() => performance.now() - begunMonoMs) };
  };
  /** Sends a little at intervals, for as long as the server allows. */
  const drip = (client: Socket, text: string) => {
    const timer = setInterval(() => client.write(text), 100);
    client.once('close', () => clearInterval(timer));
  };
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  try {
    const halfOpen = await ask(refusing, 'GET / HTTP/1.1\r\nhost');
    const sending = await ask(refusing, 'GET / HTTP/1.1\r\nhost');
    // The server refuses both incomplete requests. The test waits for that before it keeps the server busy. A busy
    // server would treat bytes that arrive later as another request, and refuse that request too.
    await Promise.all([halfOpen, sending].map(({ client }) => once(client.resume(), 'end')));
    drip(sending.client, 'x');
    const slow = await ask(answering, get('/').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    const notReading = await ask(answering, get('/'));
    const talking = await ask(answering, get('/'));
    drip(talking.client, '\r\n');
    const pipelining = await ask(answering, get('/part').repeat(4000));

    expect(await readSlowly(slow.client, (3 * silence) / 20)).toBeGreaterThan(body.length);
    expect(await slow.lasted).toBeGreaterThan(2 * silence);
    for (const { client, lasted } of [halfOpen, sending, notReading, talking, pipelining]) {
      expect(await lasted).toBeGreaterThanOrEqual(silence);
      client.destroy();
    }
  } finally {
    await Promise.all([refusing.close(), answering.close()]);
  }
});

test('a client that disconnects in the middle of a request is not logged as an error', async () => {
  const logged: string[] = [];
  const write = (line: string) => void logged.push(line);
  const own = newServer(createLog({ level: 'debug', format: 'json', write }), { trustProxy: false });
  const answered = Promise.withResolvers<number>();
  own.addHook('onSend', async (_, reply) => answered.resolve(reply.statusCode));
  parseJsonBodies(own, createBodyBudget(), { next: async () => {} });
  own.post('/', async () => ({ ok: true }));
  await own.listen({ host: '127.0.0.1', port: 0 });
  try {
    const socket = connect((own.server.address() as AddressInfo).port, '127.0.0.1');
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';
    own.server.once('request', () => socket.destroy());
    socket.write(`${head}{`);
    expect(await answered.promise).toBe(400);
    expect(logged).toEqual([]);
  } finally {
    await own.close();
  }
});
