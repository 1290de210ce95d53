import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../testing/test-daemon.ts';
import { listen } from './listen.ts';
import { newServer } from './new-server.ts';

const maxConnections = 40;

/** Starts a server that allows only `maxConnections` connections, with few listeners. */
async function startServer() {
  const app = newServer(silentLog, { trustProxy: false, maxConnections });
  app.get('/', async () => 'ok');
  app.post('/', async () => 'ok');
  const accepted: Socket[] = [];
  app.server.on('connection', (socket: Socket) => void accepted.push(socket));
  const { port, more } = await listen(app, { host: '127.0.0.1', port: 0, listeners: 4 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await Promise.all([app.close(), more.close()]);
  });
  const open = (localAddress: string, request: string): Socket => {
    const socket = connect(
      { port, host: '127.0.0.1', localAddress, allowHalfOpen: true },
      () => void socket.write(request),
    );
    socket.on('error', () => socket.destroy());
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { open, accepted };
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

test('if a network floods the server, the server refuses most of its new connections, and serves other networks', async () => {
  const { open, accepted } = await startServer();
  // If no other network had connected, the flooding network could be a proxy, and would not be refused.
  const before = open('127.0.0.1', get);
  expect(String(await once(before, 'data'))).toContain('200 OK');

  const flood = Array.from({ length: 400 }, () => open('127.0.0.2', get).resume());
  const after = open('127.0.0.3', get);
  expect(String(await once(after, 'data'))).toContain('200 OK');
  // The server ends the connections that it refuses.
  const ended = () => flood.filter(({ readableEnded, destroyed }) => readableEnded || destroyed).length;
  while (ended() < 300) await sleep(10);

  // Without the flood gate, each of the 400 connections would be accepted, and would replace an older connection.
  expect(accepted.length).toBeLessThan(100);
  expect(ended()).toBeLessThan(400);
  before.write(get);
  expect(String(await once(before, 'data'))).toContain('200 OK');
});

test('if many bodies are too long, the server reads on from only 16 of them, and resets the other connections', async () => {
  const { open, accepted } = await startServer();
  const body = 'x'.repeat(1024 * 1024);
  const type = `content-type: application/json\r\ncontent-length: ${2 * body.length}`;
  for (let count = 0; count < 32; count++)
    open('127.0.0.2', `POST / HTTP/1.1\r\nhost: x\r\n${type}\r\n\r\n${body}`).resume();
  const isRead = ({ bytesRead }: Socket) => bytesRead > body.length;
  while (accepted.filter((socket) => socket.destroyed || isRead(socket)).length < 32) await sleep(10);
  expect(accepted.filter(isRead)).toHaveLength(16);
});
