import type { Socket } from 'node:net';
import { networkOf } from './network-of.ts';

/** To find an idle connection of a network, at most this many of its connections are inspected. */
const maxLooked = 64;
/**
 * A network holds many connections (`holdsMany`) if it has at least this part of the maximum. Networks whose jobs send
 * pings stay below it, because each of their connections lasts only milliseconds.
 */
const manyPart = 0.25;

/** Shares a server's connections among its clients' networks. */
export interface ConnectionShares {
  /**
   * Adds a new connection. If the maximum is reached, the network with the most connections loses one: its oldest idle
   * connection, or its oldest connection if none is idle. So a network cannot keep other networks out by holding
   * connections open.
   */
  add(socket: Socket): void;
  count(): number;
  /**
   * Whether a network holds so many connections that it gets no more during a flood. `network` comes from `networkOf`.
   */
  holdsMany(network: string): boolean;
}

/**
 * Creates the shares for at most `maxConnections` connections. `isIdle` says whether a connection waits for a request,
 * so that closing it loses no answer.
 */
export function createConnectionShares(maxConnections: number, isIdle: (socket: Socket) => boolean): ConnectionShares {
  const networks = new Map<string, Set<Socket>>();
  let count = 0;

  const remove = (network: string, socket: Socket) => {
    const held = networks.get(network);
    if (!held?.delete(socket)) return;
    count--;
    if (held.size === 0) networks.delete(network);
  };
  const largest = (): [string, Set<Socket>] | undefined => {
    let found: [string, Set<Socket>] | undefined;
    for (const entry of networks) if (!found || entry[1].size > found[1].size) found = entry;
    return found;
  };
  const makeRoom = () => {
    const [network, held] = largest() ?? [];
    if (network === undefined || held === undefined) return;
    let victim: Socket | undefined;
    let looked = 0;
    for (const socket of held) {
      victim ??= socket;
      if (++looked > maxLooked) break;
      if (!isIdle(socket)) continue;
      victim = socket;
      break;
    }
    if (!victim) return;
    // The connection is removed from the count now, because its 'close' event arrives later.
    remove(network, victim);
    victim.destroy();
  };

  return {
    add(socket) {
      if (count >= maxConnections) makeRoom();
      const network = networkOf(socket.remoteAddress ?? '');
      const held = networks.get(network) ?? new Set();
      networks.set(network, held.add(socket));
      count++;
      socket.once('close', () => remove(network, socket));
    },
    count: () => count,
    holdsMany: (network) => (networks.get(network)?.size ?? 0) >= maxConnections * manyPart,
  };
}
