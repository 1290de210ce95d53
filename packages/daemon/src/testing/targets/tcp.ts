import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Target } from './target.ts';

/**
 * Accepts connections on loopback, and passes each to `serve`. By default, everything that arrives is read and ignored.
 */
export async function tcpTarget(
  serve: (socket: Socket) => void = (socket) => void socket.resume(),
  host = '127.0.0.1',
): Promise<Target> {
  const server = createServer(serve);
  return listening(server, host);
}

/**
 * Answers the first data of every connection with the same bytes. Then closes the connection, keeps it open or resets
 * it.
 */
export const bytesTarget = (bytes: string | Buffer, then: 'close' | 'stay' | 'reset' = 'close'): Promise<Target> =>
  tcpTarget((socket) => {
    socket.once('data', () => {
      socket.write(bytes, () => {
        if (then === 'close') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      });
    });
  });

/** Turns a server into a target. When the target is closed, its open connections are closed too. */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Target> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A check may do anything to a connection, so errors are ignored.
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close, [Symbol.asyncDispose]: close };
}

/** Opens a port where connections are neither accepted nor refused: its listener sleeps, and its backlog is full. */
export async function blackHole(): Promise<Target> {
  const worker = new Worker(
    `const { createServer } = require('node:net');
     const { parentPort } = require('node:worker_threads');
     const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const fillers: Socket[] = [];
  for (let full = false; !full && fillers.length < 64;) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    fillers.push(socket);
    full = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(resolve, 150, true)),
    ]);
  }
  const close = async () => {
    for (const socket of fillers) socket.destroy();
    await worker.terminate();
  };
  return { port, close, [Symbol.asyncDispose]: close };
}
