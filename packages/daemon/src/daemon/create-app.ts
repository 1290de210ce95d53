import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { createDomainServer } from '../http/domain-server.ts';
import { createRequestDigest } from '../http/idempotency.ts';
import { createServer } from '../http/server.ts';
import type { createWaitingRoom } from '../http/waiting-room.ts';
import type { WorkUnderWay } from '../http/work-under-way.ts';
import type { PlanRules } from '../plans/account-plan.ts';
import type { Backend } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { checkedNow } from '../resources/monitors/checked-now.ts';
import { createOperatorTest } from '../resources/operator.ts';
import type { Parts } from './open-parts.ts';
import { healthOf, runningEngine, type Started } from './started.ts';
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

/** The servers of the interface and of custom domains, not listening yet. */
export function createApp(options: AppOptions): { app: FastifyInstance; domainServer: FastifyInstance } {
  const { deps, config, parts, started, requests } = options;
  const { domains, getPage, loopDelayMs, secret } = parts;
  const { trustProxy } = config;
  const httpsPort = () => started.httpsPort;
  const domainServer = createDomainServer({ domains, getPage, log: deps.log, trustProxy, httpsPort });
  const app = createServer({
    backend: createBackend(options),
    handlers,
    getPage,
    downloads: options.downloads,
    domainServer,
    recordPing: (ping) => parts.pings.record(ping),
    rateLimit: config.rateLimit === 'on',
    mostConnections: parts.shares.connections,
    secret,
    trustProxy,
    loopDelayMs,
    underWay: (work) => requests.add(work),
  });
  return { app, domainServer };
}

function createBackend({ deps, config, parts, plans, started, waiting, stopping }: AppOptions): Backend {
  const { store, accounts, siteUrl, publicHost, domains, billing, notifier, messageRules, vault, loopDelayMs } = parts;
  return {
    store,
    deps,
    version,
    accounts,
    siteUrl,
    publicHost,
    domains,
    billing,
    plans,
    checksOf: (project) => runningEngine(started).checksOf(project),
    notifier,
    messageRules,
    digestRequest: createRequestDigest(parts.secret),
    vault,
    stopping,
    readStats: createStatsReader(store),
    checkNow: async (monitor) =>
      checkedNow(await waiting.untilClosed(runningEngine(started).checkNow(monitor)), config.region),
    health: healthOf(started, { domainWarnings: () => domains.warnings(), loopDelayMs }),
    isOperator: createOperatorTest({ store, accounts }),
  };
}
