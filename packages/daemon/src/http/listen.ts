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
 * accepts one in a turn of the event loop. With Node's default of 511, a burst of clients would lose some attempts,
 * which are repeated only after a second.
 */
export const backlog = 4096;

/** A server that listens. */
export interface Listening {
  port: number;
  more: MoreListeners;
}

/** Default number of listeners of an address. */
export const defaultListeners = 16;

interface ListenAt extends Pick<Config, 'host' | 'port'> {
  trustProxy?: Config['trustProxy'];
  /** Listeners that share the address. Default: 16. */
  listeners?: number;
}

/** Listens where the config says. Throws an error that names the setting to change. */
export async function listen(
  app: FastifyInstance,
  { host, port, trustProxy = false, listeners = defaultListeners }: ListenAt,
): Promise<Listening> {
  try {
    // For `localhost` Fastify would start a server for each of its addresses, and only the first would have our limits.
    const { address } = await lookup(host, { order: 'ipv4first' });
    const where = { host: address, port, backlog, listeners, behindProxy: trustProxy !== false };
    const more = await startListeners(app.server, where, (options) => app.listen(options));
    return { port: portOf(app.server), more };
  } catch (error) {
    await app.close();
    throw cannotListen(error, { host, port, setBy: 'UPTIME_PORT or --port' });
  }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Lets current requests finish, for at most a second. */
export async function closing(server: Server, more: MoreListeners, close: () => Promise<unknown>): Promise<void> {
  const cancel = systemClock.after(1000, () => server.closeAllConnections());
  await more.acceptWaiting();
  await Promise.all([close(), more.close()]);
  cancel();
}
