import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Resolves with a port on loopback that is free for UDP and for TCP, from 10000 to 32000. Systems use higher ports for
 * connections and for listeners on port 0. So no other program takes this port while the test does not listen on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const udp = createSocket('udp4').bind(port, '127.0.0.1');
    const tcp = createServer().listen(port, '127.0.0.1');
    const free = await Promise.all([listens(udp), listens(tcp)]);
    udp.close();
    tcp.close();
    if (free[0] && free[1]) return port;
  }
}

const listens = (socket: Socket | Server): Promise<boolean> =>
  once(socket, 'listening').then(
    () => true,
    () => false,
  );
