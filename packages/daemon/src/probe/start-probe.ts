import { randomBytes } from 'node:crypto';
import { createCheckContext } from '../checks/index.ts';
import { lookUpNameServers } from '../checks/name-servers.ts';
import { type Closers, createClosers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { shareDescriptors } from '../core/descriptor-shares.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { takeDataDir } from '../data-dir.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { openStore } from '../store/open-store.ts';
import { createSeal } from '../store/seal.ts';
import { createMonitorVault } from '../stored-monitors/monitor-vault.ts';
import { createServerTime } from './server-time.ts';
import { createKeptAssignments } from './keep-assignments.ts';
import { keepJoined } from './keep-joined.ts';
import { createLink } from './link.ts';
import { createRegionChecker } from './region-checker.ts';
import { createResultQueue } from './result-queue.ts';
import { startSending } from './send-results.ts';
import { startSyncing } from './sync-monitors.ts';
import { createTargetRule } from './target-rule.ts';

export interface ProbeOptions {
  /** The address of the server, without a trailing slash. */
  url: string;
  token: string;
  dataDir: string;
  version: string;
  config: Pick<Config, 'targets' | 'dnsServers' | 'gatewayCheck'>;
  /** The probe's own rule for targets, which has priority over the server's rule; null if it has none. */
  ownTargets: Config['targets'] | null;
  /** Limit of open files and sockets of this process. Default: no limit. */
  openFiles?: number;
}

export interface Probe {
  /** The name under which the server shows the probe. */
  name: string;
  /**
   * Rejects if the server refuses the probe's first call for good (`isFinal` in link.ts). Otherwise it never settles.
   */
  refused: Promise<never>;
  /** Stops checking, sends the waiting results, and closes the store. Takes a few seconds at most. */
  close(): Promise<void>;
}

/** The region's number before the server has sent it for the first time. Until then the probe does not check. */
const unknownRegion = 0;

/** Starts a probe: its store, the checker, and the loops that talk to the server. */
export async function startProbe(deps: Deps & { clock: SteadyClock }, options: ProbeOptions): Promise<Probe> {
  const closers = createClosers();
  const stopping = new AbortController();
  try {
    return await start(deps, options, { closers, stopping });
  } catch (error) {
    stopping.abort();
    await closers.close();
    throw error;
  }
}

async function start(
  deps: Deps & { clock: SteadyClock },
  options: ProbeOptions,
  { closers, stopping }: { closers: Closers; stopping: AbortController },
): Promise<Probe> {
  const { clock, log } = deps;
  const { config, dataDir, url, version } = options;
  const { secretKey, instance: probe, release } = takeDataDir(dataDir);
  closers.add(release);
  const store = await openStore({ dataDir, log });
  closers.add(() => store.close());
  const vault = createMonitorVault(createSeal(secretKey));
  const assignments = createKeptAssignments(deps, store, vault);
  const joined = await keepJoined(store, { url, clock, log, forget: () => assignments.clear() });
  const dnsServers = await lookUpNameServers(config.dnsServers ?? []);
  const context = createCheckContext({ ...config, clock, dnsServers });
  closers.add(() => context.close());
  const obey = createTargetRule(context, options);
  obey(joined.targets);
  const serverTime = createServerTime(clock);
  const queue = await createResultQueue(store);
  const link = createLink(options);
  let joinedServer = false;
  const hasJoined = () => joinedServer;
  const run = randomBytes(8).toString('hex');
  const calls = { link, queue, probe, run, hasJoined, stopping: stopping.signal };
  const sending = startSending(deps, calls);
  closers.add(() => sending.close());
  const maxRunning = shareDescriptors(options.openFiles ?? Infinity).checks;
  const onRecorded = (isNew: boolean) => sending.wake(isNew);
  const checker = createRegionChecker(deps, { store, vault, context, queue, serverTime, maxRunning, onRecorded });
  const checkFault = () => serverTime.fault() ?? context.network.trouble() ?? queue.fullFor() ?? checker.ownFault();
  const syncing = startSyncing(deps, {
    ...calls,
    version,
    serverTime,
    assignments,
    fault: () => checkFault() ?? sending.fault() ?? assignments.fault(),
    isFailing: () => checker.isFailing(),
    async onPlace({ region, targets }) {
      await checker.leaveOther(region.id);
      await joined.note({ region: region.id, skewMs: clock.skewMs(), targets });
      obey(targets);
    },
    async onAnswer({ region, applied }) {
      await (joinedServer ? queue.drop(applied) : queue.join(applied, serverTime.earlyCorrection()));
      joinedServer = true;
      await checker.checkFrom(region.id);
      sending.wake();
    },
  });
  // Continues with the stored monitors, even if the server does not answer.
  if (joined.region !== unknownRegion) await checker.checkFrom(joined.region);
  closers.add(async () => {
    await checker.stop();
    await sending.flush();
    stopping.abort();
    await syncing.close();
  });
  return { name: storedProbeName(probe), refused: syncing.refused, close: () => closers.close() };
}
