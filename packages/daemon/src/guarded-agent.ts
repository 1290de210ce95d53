import { type BlockList, connect, type LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';

/**
 * How whoever is no check asks by HTTP: by undici, one request a connection, and never at a blocked address. It
 * connects first and encrypts then, since `tls.connect` by itself ignores the list. Once the signal aborts, a connection
 * that is on its way is closed.
 */
export async function createGuardedAgent(options: {
  blockList: BlockList;
  lookup: LookupFunction;
  signal?: AbortSignal;
}): Promise<Agent> {
  // Loaded with the first request: a daemon that makes none starts sooner.
  const undici = await import('undici');
  const encrypt = undici.buildConnector({ timeout: 0, allowH2: false });
  const connector: buildConnector.connector = (to, answer) => {
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
  return new undici.Agent({ pipelining: 0, connect: connector });
}
