import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import type { ListenOptions } from 'node:net';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import { startListeners, type MoreListeners } from './accept-more.ts';
import { cannotListen } from './cannot-listen.ts';
import { clientLimits, limitClients } from './client-limits.ts';
import { backlog, defaultListeners } from './listen.ts';

/** Time for a handshake. It is short, because no certificate is ordered during a handshake. */
const handshakeTimeoutMs = 10_000;

export interface HttpsOptions {
  host: string;
  /** 0 picks any free port. */
  port: number;
  domains: Pick<CustomDomains, 'contextOf'>;
  answer: RequestListener;
  /** Replaces the default time for which a client may read nothing. */
  unreadTimeoutMs?: number;
  /** Replaces the default maximum number of connections. */
  most?: number;
  /** Listeners that share the port. */
  listeners?: number;
  /** Whether the clients are proxies. */
  behindProxy?: boolean;
}

/**
 * Listens for handshakes with custom domains. It looks certificates up in memory, and refuses unknown names with a TLS
 * alert, at no further cost. Throws an error with a full sentence if it cannot listen.
 */
export async function listenHttps({
  host,
  port,
  domains,
  answer,
  unreadTimeoutMs,
  most,
  listeners = defaultListeners,
  behindProxy = false,
}: HttpsOptions): Promise<{ server: Server; more: MoreListeners }> {
  const server = createServer(
    {
      // Without a context OpenSSL has no certificate, and sends the client an alert.
      SNICallback: (name, found) => found(null, domains.contextOf(name) ?? undefined),
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: handshakeTimeoutMs,
      ...clientLimits,
    },
    answer,
  );
  server.on('clientError', (_, socket) => socket.destroy());
  limitClients(server, unreadTimeoutMs, most);
  const begin = async (options: ListenOptions) => {
    server.listen(options);
    await once(server, 'listening');
  };
  try {
    return { server, more: await startListeners(server, { port, host, backlog, listeners, behindProxy }, begin) };
  } catch (error) {
    throw cannotListen(error, { host, port, setBy: 'UPTIME_HTTPS_PORT or --https-port' });
  }
}
