import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionShares, createConnectionShares } from './connection-shares.ts';

/** Limits that Node's server enforces on each connection. All times are in milliseconds. */
export const clientLimits = {
  /** Time for all headers of a request to arrive. */
  headersTimeout: 10_000,
  /** Time for a whole request to arrive. */
  requestTimeout: 30_000,
  /** Interval at which Node closes connections that exceed `headersTimeout` or `requestTimeout`. */
  connectionsCheckingInterval: 2000,
  /** Maximum size of a request's headers, in bytes. */
  maxHeaderSize: 16_384,
  /**
   * How long an idle connection stays open between two requests. The common proxies close idle connections earlier
   * (nginx and AWS after 60 s, Caddy after 120 s, Google after 600 s). If the server closed a connection first, a
   * request that a proxy sends at that moment would be lost. When connections run out, the server closes idle
   * connections (connection-shares.ts).
   */
  keepAliveTimeout: 620_000,
};

/** If a client reads nothing of a waiting answer for this long, its connection is closed. */
export const unreadTimeoutMs = 180_000;

/**
 * Maximum number of connections of each server (http and https), on all its listeners together. It is lower if the
 * process may open fewer files. Beyond the limit, a new connection replaces an old connection (connection-shares.ts).
 */
export const maxConnections = 10_000;
/**
 * Returns how many connections beyond the limit may exist until the replaced connections have closed. The server
 * refuses connections beyond that number.
 */
const closing = (maxOpen: number) => Math.min(200, Math.ceil(maxOpen / 10));

/** If more than this many inspections in a row find that a client has read nothing, its connection is closed. */
const maxIdleChecks = 6;

const sharesOf = new WeakMap<Server, ConnectionShares>();

/**
 * Whether a network holds many connections of a server that `limitClients` limits. connection-shares.ts defines "many".
 */
export const holdsMany = (server: Server, network: string): boolean =>
  sharesOf.get(server)?.holdsMany(network) ?? false;

/**
 * Limits the connections of a server, and shares them among the networks of its clients. Closes the connections of
 * clients that stop reading, even if they keep writing. For that it inspects all connections at intervals, because a
 * timer for each request would make a ping 3% more expensive.
 */
export function limitClients(server: Server, unreadMs = unreadTimeoutMs, maxOpen = maxConnections): void {
  server.maxConnections = maxOpen + closing(maxOpen);
  const shares = createConnectionShares(maxOpen, isIdle);
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
      if (seen.idle > maxIdleChecks) socket.destroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(closeUnread, unreadMs / maxIdleChecks).unref();
    server.once('close', () => clearInterval(timer));
  });
}

/**
 * Whether a connection waits for a request: no answer is in progress on it. Node keeps the answer in a private field of
 * the socket. To record the answer here too would cost time on every ping.
 */
function isIdle(socket: Socket): boolean {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: unknown };
  return !answering;
}

/**
 * Returns how many bytes the client has read (`taken`), and how many still wait to be read (`left`). The public fields
 * of a socket count only whole writes, and an answer may be a single write. So this function reads the socket's handle,
 * as Node's own timeouts do.
 */
function sentOn(socket: Socket): { taken: number; left: number } {
  const { _handle } = socket as Socket & { _handle: { bytesWritten: number; writeQueueSize: number } | null };
  const { bytesWritten, writeQueueSize: left } = _handle ?? { bytesWritten: 0, writeQueueSize: 0 };
  return { taken: bytesWritten - left, left };
}
