import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Daemon } from '../daemon.ts';
import { copyMigratedSqlite } from './migrated-sqlite.ts';
import { startRoundRobin } from './round-robin.ts';
import { freePort } from './targets/free-port.ts';
import type { TestWorld } from './test-world.ts';

/** A node of a test's installation. */
export interface TestNode {
  /** The settings of the node. Its port stays the same over restarts. */
  env(): Record<string, string>;
}

/** The nodes of a test's installation. If there are several, they are behind a round-robin proxy. */
export interface TestNodes {
  /** The data folder of the first node. */
  dataDir: string;
  /** Returns the address of the installation, which is known after the nodes have started. */
  url(): string;
  start(start: (node: TestNode) => Promise<Daemon>): Promise<Daemon[]>;
  close(): Promise<void>;
}

export async function openNodes(
  { nodes }: TestWorld,
  { env, databaseUrl }: { env: Record<string, string>; databaseUrl: string | undefined },
): Promise<TestNodes> {
  const proxy = nodes > 1 ? await startRoundRobin() : null;
  const dataDirs = await Promise.all(Array.from({ length: nodes }, () => mkdtemp(join(tmpdir(), 'uptime-daemon-'))));
  if (databaseUrl === undefined) for (const dataDir of dataDirs) await copyMigratedSqlite(dataDir);
  const ports = await Promise.all(dataDirs.map(freePort));
  // The settings are read at each start, because a test may change `env` before a restart.
  const shared = () => ({
    UPTIME_RATE_LIMIT: 'off',
    ...(databaseUrl !== undefined && { UPTIME_DATABASE_URL: databaseUrl }),
    ...(proxy && { UPTIME_SECRET_KEY: 'one key for all nodes '.repeat(2), UPTIME_SITE_URL: proxy.url }),
    ...env,
  });
  let first = '';
  return {
    dataDir: dataDirs[0]!,
    url: () => proxy?.url ?? first,
    async start(start) {
      const daemons: Daemon[] = [];
      for (const [at, dataDir] of dataDirs.entries()) {
        const daemon = await start({
          env: () => ({ UPTIME_PORT: String(ports[at]!), UPTIME_DATA_DIR: dataDir, ...shared() }),
        });
        daemons.push(daemon);
      }
      first = daemons[0]!.localUrl;
      proxy?.upstreams.splice(0, Infinity, ...daemons.map(({ localUrl }) => localUrl));
      return daemons;
    },
    async close() {
      await proxy?.close();
      for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
