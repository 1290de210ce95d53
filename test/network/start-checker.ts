import { addresses, type Namespaces } from './namespaces.ts';
import { type DaemonOptions, startDaemon, type StartedDaemon } from './start-daemon.ts';

/** The program that checks: a daemon, or a probe. */
export type Checker = 'daemon' | 'probe';

/** The regions that monitors must name, so that only the checker checks them. */
export const regionsOf: Record<Checker, string[]> = { daemon: [], probe: ['elsewhere'] };

/**
 * Starts the program that checks, in the checker's namespace. A probe joins a server in the router's namespace, because
 * that server has to keep its own network. Resolves with the daemon that decides the statuses. `dataDir` is the data
 * folder of a probe.
 */
export async function startChecker(
  checker: Checker,
  namespaces: Namespaces,
  { onTransition, dataDir }: Pick<DaemonOptions, 'onTransition'> & { dataDir: string },
): Promise<StartedDaemon> {
  const env = { UPTIME_DNS_SERVERS: addresses.resolver };
  if (checker === 'daemon') return startDaemon(namespaces, { where: 'checker', env, onTransition });
  const port = '3000';
  const server = await startDaemon(namespaces, {
    where: 'router',
    env: { UPTIME_HOST: addresses.server, UPTIME_PORT: port },
    onTransition,
  });
  const body = { region: regionsOf.probe[0] };
  const { token } = await server.ask<{ token: string }>('POST', '/api/probes', { body, asOwner: true });
  const joining = { UPTIME_PROBE_JOIN: `http://${addresses.server}:${port}`, UPTIME_PROBE_TOKEN: token };
  const own = { UPTIME_DATA_DIR: dataDir, UPTIME_LOG_LEVEL: 'error' };
  await namespaces.start('checker', 'serve-probe.ts', [JSON.stringify({ ...env, ...joining, ...own })]);
  return server;
}
