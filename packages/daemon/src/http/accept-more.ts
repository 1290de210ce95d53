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
  /** Whether the clients are proxies, each of which connects for many clients. */
  behindProxy: boolean;
}

/** Maximum number of turns of the event loop in which a stopping server accepts connections that already wait. */
const mostTurnsOfStop = 300;

/** The listeners that a server has in addition to its own. */
export interface MoreListeners {
  /** Resolves when all connections that waited have been accepted. Otherwise a stop would cut their requests off. */
  acceptWaiting(): Promise<void>;
  /** Accepts no more connections. Resolves when the accepted ones have closed. Idle connections close at once. */
  close(): Promise<void>;
}

/**
 * Lets a server listen on an address. If the system shares connections among listeners, several listeners are started.
 * `listen` starts the server's own listener. Rejects with the system's error.
 */
export async function startListeners(
  server: Server,
  { behindProxy, listeners: count, ...address }: Address,
  listen: (options: ListenOptions) => Promise<unknown>,
): Promise<MoreListeners> {
  // Other systems give all connections to one of the listeners.
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
 * Rejects if another program listens on an address. With `reusePort`, this daemon would otherwise share the port with
 * another daemon, without an error.
 */
async function refuseSharedAddress({ host, port }: ListenOptions): Promise<void> {
  if (port === 0) return;
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** A block list that refuses connections during a flood. Node asks the list before it creates a socket. */
function refusedByFloodGate(server: Server, listeners: number): BlockList {
  const blockList = new BlockList();
  blockList.check = createFloodGate(listeners, {
    now: () => systemClock.monotonicMs(),
    holdsMany: (network) => holdsMany(server, network),
  }) as BlockList['check'];
  return blockList;
}

/** Adds listeners to a server that listens with `reusePort`. */
function acceptMore(
  server: Server,
  { count, blockList, ...address }: ListenOptions & { count: number; blockList: BlockList | undefined },
): Promise<TcpServer[]> {
  const begun = Array.from({ length: count }, async () => {
    // http.Server creates its own listener in the same way.
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
  // Node's server closes idle connections only once, at its own close. This timer closes those that get idle later.
  const timer = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  await closed;
  clearInterval(timer);
}

/** Waits for two turns of the event loop in which no listener accepts a connection. */
async function untilNoneWaits(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on('connection', count);
  for (let turn = 0, before = -1; turn < mostTurnsOfStop && before < accepted; turn += 2) {
    before = accepted;
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', count);
}
