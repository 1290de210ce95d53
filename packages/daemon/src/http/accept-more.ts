import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, BlockList, createServer, type ListenOptions, type Server as TcpServer } from 'node:net';
import { platform } from 'node:os';
import { systemClock } from '../deps.ts';
import { nextTurn } from '../wait.ts';
import { holdsMany } from './client-limits.ts';
import { createFloodGate } from './flood-gate.ts';

/** During a stop, idle connections are closed at this interval. */
const closeIdleEveryMs = 10;

/** Where to listen. */
export interface Address extends Required<Pick<ListenOptions, 'host' | 'port' | 'backlog'>> {
  /**
   * How many listeners share the port. In a turn of the event loop, each listener accepts one connection. With few
   * listeners, new clients wait behind clients that reconnect all the time. With many listeners, a turn takes long.
   */
  listeners: number;
  /** Whether connections come from proxies, each of which forwards the requests of many clients. */
  behindProxy: boolean;
}

/** Maximum number of turns of the event loop in which a stopping server accepts connections that already wait. */
const maxStopTurns = 300;

/** Listeners that share the port with the server's own listener. */
export interface MoreListeners {
  /**
   * Resolves when all connections that waited at the port have been accepted. If the server stopped earlier, it
   * would abort the requests on those connections.
   */
  acceptWaiting(): Promise<void>;
  /** Stops accepting connections, and closes idle connections. Resolves when all accepted connections have closed. */
  close(): Promise<void>;
}

/**
 * Lets a server listen on an address. If the operating system shares the connections of a port among listeners, this
 * function starts several listeners. `listen` starts the server's own listener. Rejects with the operating system's
 * error.
 */
export async function startListeners(
  server: Server,
  { behindProxy, listeners: count, ...address }: Address,
  listen: (options: ListenOptions) => Promise<unknown>,
): Promise<MoreListeners> {
  // Only Linux shares connections among the listeners of a port. Other systems give all connections to one listener.
  const reusePort = platform() === 'linux';
  if (reusePort) await refuseSharedAddress(address);
  const blockList = reusePort && !behindProxy ? refusedByFloodGate(server, count) : undefined;
  // Node's server asks this block list about each new connection.
  Object.assign(server, { blockList });
  await listen({ ...address, reusePort });
  const acceptWaiting = () => untilNoneWaits(server);
  if (!reusePort) return { acceptWaiting, close: async () => {} };
  const { port } = server.address() as AddressInfo;
  const listeners = await acceptMore(server, { ...address, port, count: count - 1, blockList });
  return { acceptWaiting, close: () => closeAll(server, listeners) };
}

/**
 * Rejects if another program listens on the address. Without this check, `reusePort` would let two daemons share the
 * port without an error.
 */
async function refuseSharedAddress({ host, port }: ListenOptions): Promise<void> {
  if (port === 0) return;
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** Returns a block list that refuses connections during a flood. Node asks the list before it creates a socket. */
function refusedByFloodGate(server: Server, listeners: number): BlockList {
  const blockList = new BlockList();
  blockList.check = createFloodGate(listeners, {
    monotonicMs: () => systemClock.monotonicMs(),
    holdsMany: (network) => holdsMany(server, network),
  }) as BlockList['check'];
  return blockList;
}

/** Starts more listeners on the port of a server that listens with `reusePort`. */
function acceptMore(
  server: Server,
  { count, blockList, ...address }: ListenOptions & { count: number; blockList: BlockList | undefined },
): Promise<TcpServer[]> {
  const begun = Array.from({ length: count }, async () => {
    // http.Server creates its own listener with the same options.
    const listener = createServer({ allowHalfOpen: true, noDelay: true, ...(blockList && { blockList }) });
    listener.on('connection', (socket) => void server.emit('connection', socket));
    listener.listen({ ...address, reusePort: true });
    await once(listener, 'listening');
    return listener;
  });
  return Promise.all(begun);
}

async function closeAll(server: Server, listeners: readonly TcpServer[]): Promise<void> {
  const closed = Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  // Node's server closes idle connections only once, in its `close`. This timer closes connections that become idle
  // later.
  const timer = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  await closed;
  clearInterval(timer);
}

/** Resolves after two turns of the event loop without a new connection, or after `maxStopTurns` turns. */
async function untilNoneWaits(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on('connection', count);
  for (let turn = 0, before = -1; turn < maxStopTurns && before < accepted; turn += 2) {
    before = accepted;
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', count);
}
