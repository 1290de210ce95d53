import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { systemClock } from '../deps.ts';
import { cannotListen } from './cannot-listen.ts';

/**
 * Most connections that wait to be accepted, if the system allows as many. The event loop accepts one a turn. With Node's
 * 511, a burst of reconnecting clients would lose others' attempts, which are repeated only after a second.
 */
export const backlog = 4096;

/** Listens where the config says, and returns the port. Throws an error that names the setting to change. */
export async function listen(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  try {
    // For `localhost` Fastify would start a server for each of its addresses, and only the first would have our limits.
    const { address } = await lookup(host, { order: 'ipv4first' });
    await app.listen({ host: address, port, backlog });
  } catch (error) {
    await app.close();
    throw cannotListen(error, { host, port, setBy: 'UPTIME_PORT or --port' });
  }
  return portOf(app.server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Lets current requests finish, for at most a second. */
export async function closing(server: Server, close: () => Promise<unknown>): Promise<void> {
  const cancel = systemClock.after(1000, () => server.closeAllConnections());
  await close();
  cancel();
}

/** The address at which a person on this machine reaches the listener. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
