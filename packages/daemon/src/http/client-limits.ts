import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionShares, createConnectionShares } from './connection-shares.ts';

/** How long a client may take, in milliseconds, and how much it may send and hold. */
export const clientLimits = {
  /** Time for all headers of a request to arrive. */
  headersTimeout: 10_000,
  /** Time for a whole request to arrive. */
  requestTimeout: 30_000,
  /** How often slow clients are looked for. */
  connectionsCheckingInterval: 2000,
  /** Bytes of a request's headers. */
  maxHeaderSize: 16_384,
  /**
   * Idle time between two requests. It is longer than that of the common proxies (nginx and AWS 60 s, Caddy 120 s,
   * Google 600 s). Otherwise a request would be lost when a proxy sends it on a connection that is just closing. When
   * connections run out, idle ones are closed (connection-shares.ts).
   */
  keepAliveTimeout: 620_000,
};

/** How long an answer may wait for a client that reads nothing of it. */
export const unreadTimeoutMs = 180_000;

/**
 * Maximum number of connections on each listener. It is lower if the process may open fewer files. A further connection
 * replaces another one (connection-shares.ts).
 */
export const maxConnections = 10_000;
/** Maximum number of new connections that may wait until replaced ones have closed. Further ones are refused. */
const closing = (most: number) => Math.min(200, Math.ceil(most / 10));

/** If a client reads nothing during more than this many checks in a row, its connection is closed. */
const mostIdleChecks = 6;

const sharesOf = new WeakMap<Server, ConnectionShares>();

/** Whether a network holds many connections of a server with limits. */
export const holdsMany = (server: Server, network: string): boolean =>
  sharesOf.get(server)?.holdsMany(network) ?? false;

/**
 * Limits the connections of a listener, and shares them among its clients' networks. Closes clients that stop reading,
 * even if they keep writing. It checks all connections at intervals, because a timer for each request would add a
 * thirtieth to the cost of a ping.
 */
export function limitClients(server: Server, unreadMs = unreadTimeoutMs, most = maxConnections): void {
  server.maxConnections = most + closing(most);
  const shares = createConnectionShares(most, isIdle);
  sharesOf.set(server, shares);
  const open = new Map<Socket, { taken: number; idle: number }>();
  // On a TLS listener too, `socket` is the TCP connection. The socket's handle then counts encrypted bytes.
  server.on('connection', (socket) => {
    shares.add(socket);
    open.set(socket, { taken: 0, idle: 0 });
    socket.once('close', () => open.delete(socket));
  });
  const closeUnread = () => {
    for (const [socket, seen] of open) {
      const { taken, left } = sentOn(socket);
      seen.idle = (left > 0 || socket.writableEnded) && taken === seen.taken ? seen.idle + 1 : 0;
      seen.taken = taken;
      if (seen.idle > mostIdleChecks) socket.destroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(closeUnread, unreadMs / mostIdleChecks).unref();
    server.once('close', () => clearInterval(timer));
  });
}

/**
 * Whether a connection waits for a request, so that no answer is in progress. Node keeps the answer in progress in a
 * private field of the socket. To record it a second time would cost time on every ping.
 */
function isIdle(socket: Socket): boolean {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: unknown };
  return !answering;
}

/**
 * Bytes that the client has read, and bytes that still wait for it. The public fields of a socket count only whole
 * writes, and an answer may be a single write. So this reads the socket's handle, as Node's own timeouts do.
 */
function sentOn(socket: Socket): { taken: number; left: number } {
  const { _handle } = socket as Socket & { _handle: { bytesWritten: number; writeQueueSize: number } | null };
  const { bytesWritten, writeQueueSize: left } = _handle ?? { bytesWritten: 0, writeQueueSize: 0 };
  return { taken: bytesWritten - left, left };
}
