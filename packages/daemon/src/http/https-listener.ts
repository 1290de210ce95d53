import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import type { ListenOptions } from 'node:net';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import { startListeners, type MoreListeners } from './accept-more.ts';
import { cannotListen } from './cannot-listen.ts';
import { clientLimits, limitClients } from './client-limits.ts';
import { maxBacklog, defaultListeners } from './listen.ts';

/** Maximum time of a TLS handshake. It can be short, because a handshake never waits for the order of a certificate. */
const handshakeTimeoutMs = 10_000;

export interface HttpsOptions {
  host: string;
  /** 0 picks any free port. */
  port: number;
  domains: Pick<CustomDomains, 'contextOf'>;
  answer: RequestListener;
  /** Replaces the default time for which a client may leave an answer unread. */
  unreadTimeoutMs?: number;
  /** Replaces the default maximum number of connections. */
  maxConnections?: number;
  /** How many listeners share the port. */
  listeners?: number;
  /** Whether connections come from proxies, each of which forwards the requests of many clients. */
  behindProxy?: boolean;
}

/**
 * Starts the https server for custom domains. For each handshake, the server looks up the certificate in memory. It
 * refuses an unknown name with a TLS alert, at no further cost. If it cannot listen, this function throws an error that
 * says why, and what to set.
 */
export async function listenHttps({
  host,
  port,
  domains,
  answer,
  unreadTimeoutMs,
  maxConnections,
  listeners = defaultListeners,
  behindProxy = false,
}: HttpsOptions): Promise<{ server: Server; more: MoreListeners }> {
  const server = createServer(
    {
      // Without a context, OpenSSL has no certificate, and sends the client an alert.
      SNICallback: (name, found) => found(null, domains.contextOf(name) ?? undefined),
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: handshakeTimeoutMs,
      ...clientLimits,
    },
    answer,
  );
  server.on('clientError', (_, socket) => socket.destroy());
  limitClients(server, unreadTimeoutMs, maxConnections);
  const begin = async (options: ListenOptions) => {
    server.listen(options);
    await once(server, 'listening');
  };
  try {
    return {
      server,
      more: await startListeners(server, { port, host, backlog: maxBacklog, listeners, behindProxy }, begin),
    };
  } catch (error) {
    throw cannotListen(error, { host, port, setBy: 'UPTIME_HTTPS_PORT or --https-port' });
  }
}
