import { allRoles } from '../core/roles.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import type { Backend } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
import { noDownloads, noProbes } from '../testing/never-called.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createDomainServer } from './domain-server.ts';
import { createRequestTurns } from './request-turns.ts';
import { createServer } from './server.ts';
import { operations, operatorRoutes, probeRoutes, siteRoutes, paymentRoutes } from '../testing/isolation-expected.ts';

test.each([null, { name: 'sandbox' }])(
  'the isolation tests know every route of a server with the payment provider %o',
  async (billing) => {
    const nowhere = { pageAt: () => null, proofOf: async () => null, isSecure: () => false };
    const backend = {
      deps: { clock: systemClock, log: silentLog, random: Math.random },
      store: {},
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
      // The test only reads the server's routes and sends no requests.
      backend: { ...backend, siteUrl: () => 'http://localhost' } as unknown as Backend,
      handlers,
      recordPing: async () => ({ known: false }),
      probes: noProbes,
      getPage,
      downloads: noDownloads,
      domainServer,
      rateLimit: false,
      roles: allRoles,
      secret: '',
      trustProxy: false,
      loopDelayMs: () => 0,
      turns: createRequestTurns(() => 0),
      underWay: (work) => work,
    });
    await app.ready();
    const served = addressesIn(app.printRoutes());
    await app.close();
    const known = operations.map(([, { site, path }]) => (site ? path : `/api${path}`));
    expect(served.toSorted()).toEqual(
      [
        ...new Set([
          ...known,
          ...Object.keys(siteRoutes),
          ...operatorRoutes,
          ...probeRoutes,
          ...(billing ? paymentRoutes : []),
        ]),
      ].toSorted(),
    );
  },
);

/**
 * Returns the addresses in a tree of routes. Each line continues the address of the nearest line above that is indented
 * less.
 */
function addressesIn(tree: string): string[] {
  const found = new Set<string>();
  const above: string[] = [];
  for (const line of tree.split('\n').filter((one) => one.trim() !== '')) {
    const [, indent, part, methods] = /^([│├└─\s]*)(\S*)( \(.+\))?$/.exec(line)!;
    const depth = indent!.length / 4;
    above.splice(depth - 1, Infinity, part!);
    if (methods) found.add(above.join(''));
  }
  return [...found];
}
