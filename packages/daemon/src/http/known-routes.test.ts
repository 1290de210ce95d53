import { expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import type { Backend } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
import { noDownloads } from '../testing/never-called.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createDomainServer } from './domain-server.ts';
import { createServer } from './server.ts';
import { operations, siteRoutes, paymentRoutes } from '../testing/isolation-expected.ts';

test.each([null, { name: 'sandbox' }])(
  'every route of the server is covered, with the payment provider %o',
  async (billing) => {
    const nowhere = { pageAt: () => null, proofOf: () => null, isSecure: () => false };
    const backend = {
      deps: { clock: systemClock, log: silentLog, random: Math.random },
      domains: nowhere,
      billing,
    };
    const getPage = async () => null;
    const domainServer = createDomainServer({
      domains: nowhere,
      getPage,
      log: silentLog,
      trustProxy: false,
      httpsPort: () => null,
    });
    const app = createServer({
      // The test only reads its routes and sends no requests.
      backend: { ...backend, siteUrl: () => 'http://localhost' } as unknown as Backend,
      handlers,
      recordPing: async () => ({ known: false }),
      getPage,
      downloads: noDownloads,
      domainServer,
      rateLimit: false,
      secret: '',
      trustProxy: false,
      loopDelayMs: () => 0,
      underWay: (work) => work,
    });
    const served = new Set<string>();
    app.addHook('onRoute', ({ url }) => void served.add(url));
    await app.ready();
    await app.close();
    const known = operations.map(([, { site, path }]) => (site ? path : `/api${path}`));
    expect([...served].toSorted()).toEqual(
      [...new Set([...known, ...Object.keys(siteRoutes), ...(billing ? paymentRoutes : [])])].toSorted(),
    );
  },
);
