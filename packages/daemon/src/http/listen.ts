import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { systemClock } from '../deps.ts';
import { startListeners, type MoreListeners } from './accept-more.ts';
import { cannotListen } from './cannot-listen.ts';

/**
 * Maximum number of connections that wait on a listener to be accepted, if the system allows as many. A listener
 * accepts one connection in a turn of the event loop. With Node's default of 511, some clients of a burst would have to
 * try again after a second.
 */
export const maxBacklog = 4096;

/** A server that listens. */
export interface Listening {
  port: number;
  more: MoreListeners;
}

/** Default number of listeners of an address. */
export const defaultListeners = 16;

interface ListenAt extends Pick<Config, 'host' | 'port'> {
  trustProxy?: Config['trustProxy'];
  /** How many listeners share the address. Default: 16. */
  listeners?: number;
}

/**
 * Starts to listen at the configured host and port. If it cannot listen, it throws an error that names the setting to
 * change.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, trustProxy = false, listeners = defaultListeners }: ListenAt,
): Promise<Listening> {
  try {
    // For `localhost` Fastify would start a server for each of its addresses, and only the first server would have
    // the limits of `limitClients`.
    const { address } = await lookup(host, { order: 'ipv4first' });
    const where = { host: address, port, backlog: maxBacklog, listeners, behindProxy: trustProxy !== false };
    const more = await startListeners(app.server, where, (options) => app.listen(options));
    return { port: portOf(app.server), more };
  } catch (error) {
    await app.close();
    throw cannotListen(error, { host, port, setBy: 'UPTIME_PORT or --port' });
  }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Closes a server and its listeners. Current requests have a second to finish; then their connections are closed. */
export async function closing(server: Server, more: MoreListeners, close: () => Promise<unknown>): Promise<void> {
  const cancel = systemClock.after(1000, () => server.closeAllConnections());
  await more.acceptWaiting();
  await Promise.all([close(), more.close()]);
  cancel();
}
