import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { databases, type TestDatabase } from '../../packages/daemon/src/testing/databases.ts';
import { startTcpProxy, type TcpProxy } from '../../packages/daemon/src/testing/tcp-proxy.ts';
import { alertReceiver } from './alert-receiver.ts';
import { countWrongRounds } from './count-wrong-rounds.ts';
import { countedPages } from './counted-pages.ts';
import { startDaemonProcess } from './daemon-process.ts';
import { expectReported, type Fault, flap, untilAllSent } from './flapping-monitors.ts';
import { type Peer, startPeer } from './peer.ts';
import { switchedTargets } from './switched-targets.ts';

/**
 * A fault of a node: a kill and a restart, a suspended process (`freeze`), or a database connection that carries no
 * data (`cut`).
 */
export type NodeFault = 'kill' | 'freeze' | 'cut';

export interface NodesUnderFaults {
  nodes: number;
  /** The number of monitors that are up all the time. */
  monitors: number;
  /** The interval is longer than a lease, so that another node runs the checks of a dead node within the interval. */
  intervalSeconds: number;
  /** The number of monitors whose targets fail and recover. */
  flapping: number;
  /** The faults, one after another. Each happens to the next node; after the last node, the first is next. */
  faults: readonly NodeFault[];
  /** Time from one fault to the next one. */
  everyMs: number;
  /** How long a node is frozen or cut off: longer than a lease. */
  awayMs: number;
}

const flappingIntervalSeconds = 5;

interface Node extends Pick<Peer, 'end' | 'start' | 'signal'> {
  proxy: TcpProxy;
}

/**
 * Runs nodes on one PostgreSQL. Causes the faults on one node after another. Expects that every steady monitor was
 * checked once in each interval, and that each outage of a flapping monitor was reported once. Resolves with figures
 * to print.
 */
export async function nodesUnderFaults(options: NodesUnderFaults): Promise<Record<string, number>> {
  const { faults, everyMs, awayMs } = options;
  const intervalMs = options.intervalSeconds * 1000;
  await using started = new AsyncDisposableStack();
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  started.defer(() => database.dispose());
  const { store } = database;
  const pages = started.use(await countedPages());
  const targets = started.use(await switchedTargets());
  const receiver = started.use(await alertReceiver('all'));
  const { nodes, first } = await startNodes(database, options.nodes, started);
  await inBunches(options.monitors, (page) =>
    first.monitor({ name: `steady ${page}`, type: 'http', url: pages.url(page), interval: options.intervalSeconds }),
  );
  const monitorIds = await inBunches(options.flapping, async (page) => {
    const fields = { name: `flapping ${page}`, type: 'http' as const, interval: flappingIntervalSeconds, timeout: 2 };
    return (await first.monitor({ ...fields, url: targets.url(page) })).id;
  });
  const channel = await first.request('POST', '/api/notification-channels', receiver.channel);
  const channelIds = [(channel.body as { id: string }).id];
  expect(await first.request('POST', '/api/alert-rules', { name: 'all', monitorIds, channelIds })).toMatchObject({
    status: 201,
  });
  // The first check of a monitor runs at its creation. Only later checks run at due times, which are an interval apart.
  await sleep(intervalMs);

  const from = Date.now();
  const happened: Fault[] = [];
  const flapped = flap(targets, options.flapping);
  for (const [at, fault] of faults.entries()) {
    const begun = Date.now();
    await causeFault(nodes[at % nodes.length]!, fault, awayMs);
    happened.push({ at: begun, over: Date.now() });
    await sleep(Math.max(0, begun + everyMs - Date.now()));
  }
  const failures = flapped.stop();
  const until = Date.now();
  // If a node was lost while it ran a check, another node repeats the check after the lease has expired.
  await sleep(intervalMs + 5000);
  await untilAllSent(store);
  expect(await countWrongRounds(store, { from, until, intervalMs })).toEqual({ missed: 0, doubled: 0 });
  // A node that continues under a lost lease would request a page right after the node that took over.
  expect(pages.tooSoon(Math.min(5000, intervalMs / 2)).filter(({ first }) => first >= from)).toEqual([]);
  const { outages, repeated } = await expectReported(store, receiver, { faults: happened, failures });
  const { count } = await store.db
    .selectFrom('result')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { faults: happened.length, results: count, outages, messages: receiver.received.length, repeated };
}

async function startNodes(database: TestDatabase, count: number, started: AsyncDisposableStack) {
  const direct = new URL(database.options.databaseUrl!);
  const proxies = await Promise.all(
    Array.from({ length: count }, () => startTcpProxy(`${direct.searchParams.get('host')}/.s.PGSQL.5432`)),
  );
  for (const proxy of proxies) started.defer(() => proxy.close());
  const envOf = ({ port }: TcpProxy) => ({
    UPTIME_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}${direct.pathname}`,
    UPTIME_SECRET_KEY: 'x'.repeat(40),
  });
  const [proxy, ...others] = proxies;
  const first = started.use(await startDaemonProcess({ env: envOf(proxy!) }));
  const nodes: Node[] = [{ ...first, proxy: proxy! }];
  for (const one of others) nodes.push({ ...started.use(await startPeer(envOf(one))), proxy: one });
  return { nodes, first };
}

async function causeFault(node: Node, fault: NodeFault, awayMs: number): Promise<void> {
  if (fault === 'kill') {
    await node.end('SIGKILL');
    await node.start();
  } else if (fault === 'freeze') {
    node.signal('SIGSTOP');
    await sleep(awayMs);
    node.signal('SIGCONT');
  } else {
    node.proxy.swallow();
    await sleep(awayMs);
    node.proxy.heal();
  }
}

/** Calls `make` this many times, five at a time. */
async function inBunches<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += 5)
    results.push(...(await Promise.all(Array.from({ length: Math.min(5, count - from) }, (_, at) => make(from + at)))));
  return results;
}
