import { type BlockList, connect, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/**
 * How undici connects for whoever is no check: never to a blocked address. It connects first and encrypts then, since
 * `tls.connect` by itself ignores the list. Once the signal aborts, a connection that is on its way is closed.
 */
export function createGuardedConnector(options: {
  blockList: BlockList;
  lookup: LookupFunction;
  signal?: AbortSignal;
}): buildConnector.connector {
  const encrypt = buildConnector({ timeout: 0, allowH2: false });
  return (to, answer) => {
    const secure = to.protocol === 'https:';
    const socket = connect({ ...options, host: to.hostname, port: Number(to.port) || (secure ? 443 : 80) });
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      if (secure) encrypt({ ...to, httpSocket: socket }, answer);
      else answer(null, socket);
    });
    // Once connected, whoever reads from it hears of its errors; this listener keeps them from being thrown.
    socket.on('error', (error) => {
      if (!connected) answer(error, null);
    });
  };
}
