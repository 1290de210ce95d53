import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionShares } from './connection-shares.ts';

/** How long a client may take, in milliseconds, and how much it may send and hold. */
export const clientLimits = {
  /** For the headers of a request to come in. */
  headersTimeout: 10_000,
  /** For a whole request to come in. */
  requestTimeout: 30_000,
  /** How often those who take longer are looked for. */
  connectionsCheckingInterval: 2000,
  /** Bytes of a request's headers. */
  maxHeaderSize: 16_384,
  /**
   * Between two requests. It outlasts the idle time of the common proxies (nginx and AWS 60 s, Caddy 120 s, Google 600 s):
   * a request that they send on a connection that closes just then would be lost. When places run out, idle connections
   * give way (connection-shares.ts).
   */
  keepAliveTimeout: 620_000,
};

/** Milliseconds for which a client may take nothing of an answer that waits for it. */
export const answerSilence = 180_000;

/** Connections at a time, on each listener, unless there are fewer descriptors. One more takes the place of another (connection-shares.ts). */
export const maxConnections = 10_000;
/** Connections that may come in before those that gave up their place are gone; beyond it new ones are refused. */
const closing = (most: number) => Math.min(200, Math.ceil(most / 10));

/** How many times those who take nothing are looked at within their silence. */
const looks = 6;

/**
 * Bounds how many connections a listener has, and shares them among the networks of its clients. Closes clients that stop
 * reading, even if they keep writing. It looks for them now and then: a timer for each request would be a thirtieth of the
 * cost of a ping.
 */
export function limitClients(server: Server, silence = answerSilence, most = maxConnections): void {
  server.maxConnections = most + closing(most);
  const shares = createConnectionShares(most, isIdle);
  const open = new Map<Socket, { taken: number; idle: number }>();
  // On a TLS listener too this is the connection itself, whose handle counts what is encrypted.
  server.on('connection', (socket) => {
    shares.add(socket);
    open.set(socket, { taken: 0, idle: 0 });
    socket.once('close', () => open.delete(socket));
  });
  const look = () => {
    for (const [socket, seen] of open) {
      const { taken, left } = sentOn(socket);
      seen.idle = (left > 0 || socket.writableEnded) && taken === seen.taken ? seen.idle + 1 : 0;
      seen.taken = taken;
      if (seen.idle > looks) socket.destroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(look, silence / looks).unref();
    server.once('close', () => clearInterval(timer));
  });
}

/** Whether no answer is owed on a connection. Node counts it so itself, and to count again would cost every ping. */
function isIdle(socket: Socket): boolean {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: unknown };
  return !answering;
}

/**
 * Bytes that the client has taken, and that wait for it. The socket tells only of whole writes, and an answer may be one;
 * its handle knows more, and Node's own timeouts go by it.
 */
function sentOn(socket: Socket): { taken: number; left: number } {
  const { _handle } = socket as Socket & { _handle: { bytesWritten: number; writeQueueSize: number } | null };
  const { bytesWritten, writeQueueSize: left } = _handle ?? { bytesWritten: 0, writeQueueSize: 0 };
  return { taken: bytesWritten - left, left };
}
