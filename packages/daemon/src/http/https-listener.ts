import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import { cannotListen } from './cannot-listen.ts';
import { clientLimits, limitClients } from './client-limits.ts';

/** Milliseconds for a handshake: a certificate is at hand or there is none. */
const handshakeTimeout = 10_000;

export interface HttpsOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  domains: Pick<CustomDomains, 'contextOf'>;
  answer: RequestListener;
  /** In place of how long a client may take nothing of its answer. */
  silence?: number;
  /** In place of how many connections it may hold. */
  most?: number;
}

/**
 * Listens for handshakes with custom domains. The certificate is looked up in memory; a name that has none is refused
 * with TLS' own alert, and costs nothing more. Throws a sentence when it cannot listen.
 */
export async function listenHttps({ host, port, domains, answer, silence, most }: HttpsOptions): Promise<Server> {
  const server = createServer(
    {
      // Without a context OpenSSL has nothing to answer with, and says so to the client.
      SNICallback: (name, found) => found(null, domains.contextOf(name) ?? undefined),
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout,
      ...clientLimits,
    },
    answer,
  );
  server.on('clientError', (_, socket) => socket.destroy());
  limitClients(server, silence, most);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(error, { host, port, setBy: 'UPTIME_HTTPS_PORT or --https-port' });
  }
  return server;
}
