import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import { listenHttps } from '../http/https-listener.ts';
import { urlOf } from '../config/local-url.ts';
import { closing, listen, portOf } from '../http/listen.ts';
import type { Servers } from './create-app.ts';
import type { Parts } from './open-parts.ts';
import type { Started } from './started.ts';

/**
 * Listens on the port of the API and pages, and on the port of custom domains. Resolves with the local address of the
 * API.
 */
export async function startListening(
  { app, domainServer, turns }: Servers,
  { config, parts, started, closers }: { config: Config; parts: Parts; started: Started; closers: Closers },
): Promise<string> {
  const { domains, shares } = parts;
  const { listeners } = shares;
  const { port, more } = await listen(app, { ...config, listeners });
  const localUrl = urlOf(config.host, port);
  started.url = config.siteUrl ?? localUrl;
  closers.add(async () => {
    await closing(app.server, more, () => app.close());
    // All connections are closed, so no client waits for the requests that are still in the queue.
    turns.close(new ServiceError('unavailable', 'The daemon is stopping.'));
  });
  if (config.httpsPort === null || !config.roles.includes('api')) return localUrl;
  const https = await listenHttps({
    host: config.host,
    port: config.httpsPort,
    domains,
    maxConnections: shares.connections,
    listeners,
    behindProxy: config.trustProxy !== false,
    answer: (request, response) =>
      domains.isSite(request.headers.host ?? '')
        ? app.routing(request, response)
        : void domainServer.answer(request, response),
  });
  closers.add(() => closing(https.server, https.more, () => new Promise((closed) => https.server.close(closed))));
  started.httpsPort = portOf(https.server);
  return localUrl;
}
