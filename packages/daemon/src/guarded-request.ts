import { type IncomingMessage, request, validateHeaderName, validateHeaderValue } from 'node:http';
import { type Guard, openGuardedSocket } from './guarded-socket.ts';

export interface GuardedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * Sends one request on a new connection, because a server may close a reused connection while the request is sent.
 * Resolves with the response once its headers have arrived. The connection closes when the signal aborts.
 */
export async function guardedRequest(guard: Guard, { method, url, headers, body }: GuardedRequest) {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const socket = await openGuardedSocket(guard, url);
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        createConnection: () => socket,
        method,
        path: url.pathname + url.search,
        headers: { host: url.host, ...headers },
        setHost: false,
        ...(guard.signal && { signal: guard.signal }),
      });
      outgoing.once('response', resolve);
      // A server may upgrade the connection although the request did not ask for it. Without a listener, Node would
      // report a hang-up.
      outgoing.once('upgrade', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
