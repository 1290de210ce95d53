import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { createDomainServer, type DomainServer } from '../http/domain-server.ts';
import { createRequestDigest } from '../http/idempotency.ts';
import { createRequestTurns, type RequestTurns } from '../http/request-turns.ts';
import { createServer } from '../http/server.ts';
import type { createWaitingRoom } from '../http/waiting-room.ts';
import type { WorkUnderWay } from '../http/work-under-way.ts';
import type { PlanRules } from '../plans/account-plan.ts';
import { createProbeHost, type ProbeHost } from '../probes/probe-host.ts';
import type { Backend } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { checkedNow } from '../resources/monitors/checked-now.ts';
import { createOperatorTest } from '../resources/operator.ts';
import { createKeyUses } from '../resources/project-keys/note-key-use.ts';
import type { Store } from '../store/store.ts';
import type { Parts } from './open-parts.ts';
import { healthOf, refuseWritesDuringMove, runningEngine, type Started } from './started.ts';
import { version } from './version.ts';

export interface AppOptions {
  deps: Deps & { clock: SteadyClock };
  config: Config;
  parts: Parts;
  /** The limits of accounts. */
  plans: PlanRules;
  downloads: Downloads;
  started: Started;
  waiting: ReturnType<typeof createWaitingRoom>;
  requests: WorkUnderWay;
  stopping: AbortSignal;
}

export interface Servers {
  /** Serves the API, pings and pages. */
  app: FastifyInstance;
  /** Serves custom domains. */
  domainServer: DomainServer;
  /** Decides the order in which API requests run. */
  turns: RequestTurns;
}

/** Creates the server for the API, pings and pages, and the server for custom domains. Neither listens yet. */
export function createApp(options: AppOptions): Servers {
  const { deps, config, parts, started, requests } = options;
  const { domains, getPage, loopDelayMs, secret } = parts;
  const { trustProxy } = config;
  const httpsPort = () => started.httpsPort;
  const domainServer = createDomainServer({ domains, getPage, log: deps.log, trustProxy, httpsPort });
  const probes = createProbeHost(deps, {
    store: storeForProbes(parts.store, started),
    vault: parts.vault,
    targets: config.targets,
    observingSince: () => runningEngine(started).remote.observingSince(),
    stopping: options.stopping,
    recording: () => runningEngine(started).remote,
    onTransition: parts.onTransition,
  });
  const turns = createRequestTurns(() => deps.clock.monotonicMs());
  const app = createServer({
    backend: createBackend(options, probes),
    handlers,
    getPage,
    downloads: options.downloads,
    domainServer,
    recordPing: (ping) => parts.pings.record(ping),
    probes,
    rateLimit: config.rateLimit === 'on',
    roles: config.roles,
    maxConnections: parts.shares.connections,
    secret,
    trustProxy,
    loopDelayMs,
    turns,
    underWay: (work) => requests.add(work),
  });
  return { app, domainServer, turns };
}

/**
 * Returns the store for the calls of probes. During a move to PostgreSQL it refuses writes. Otherwise a probe could join
 * after the last copy, and PostgreSQL would not know it. Writes are refused in their transaction, for the reason that
 * `storeFor` in http/routes.ts gives.
 */
const storeForProbes = (store: Store, started: Started): Store => ({
  ...store,
  write: (work, options) =>
    store.write((trx) => {
      refuseWritesDuringMove(started);
      return work(trx);
    }, options),
});

function createBackend(options: AppOptions, probes: Pick<ProbeHost, 'nextCheckAt'>): Backend {
  const { deps, config, parts, plans, started, waiting, requests, stopping } = options;
  const { store, accounts, siteUrl, publicHost, domains, billing, notifier, messageRules, vault, loopDelayMs } = parts;
  const lastCheckedAt = (monitor: number, stored: number | null) =>
    started.engine ? started.engine.lastCheckedAt(monitor, stored) : stored;
  return {
    store,
    deps,
    version,
    roles: config.roles,
    accounts,
    siteUrl,
    publicHost,
    domains,
    billing,
    plans,
    nextCheckAt(monitor, generation) {
      const own = started.engine?.nextCheckAt(monitor, generation) ?? null;
      const remote = probes.nextCheckAt(monitor);
      return own === null || remote === null ? (own ?? remote) : Math.min(own, remote);
    },
    regionsOf: (monitor, state, intervalMs) => started.engine?.regionsOf(monitor, state, intervalMs) ?? [],
    checksOf: (project) => runningEngine(started).checksOf(project),
    notifier,
    messageRules,
    digestRequest: createRequestDigest(parts.secret),
    vault,
    seal: parts.seal,
    noteKeyUse: createKeyUses({ ...deps, store }, (write) => requests.add(write)),
    stopping,
    readStats: createStatsReader(store, lastCheckedAt),
    checkNow: async (monitor) =>
      checkedNow(await waiting.untilClosed(runningEngine(started).checkNow(monitor)), config.region),
    lastCheckedAt,
    resultsSettled: async () => started.engine?.resultsSettled(),
    health: healthOf(started, { domainWarnings: () => domains.warnings(), loopDelayMs }),
    refuseWrites: () => refuseWritesDuringMove(started),
    isOperator: createOperatorTest({ store, accounts }),
  };
}
