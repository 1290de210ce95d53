import type { FastifyInstance } from 'fastify';
import packageJson from '../package.json' with { type: 'json' };
import { createBilling } from './billing/index.ts';
import { createCheckContext, runCheck } from './checks/index.ts';
import { createLookup } from './checks/lookup.ts';
import { lookUpNameServers } from './checks/name-servers.ts';
import { createClosers } from './closers.ts';
import type { Config } from './config/config.ts';
import { configFileFault } from './config/config-file-fault.ts';
import { messageLimitsOf } from './config/message-limits.ts';
import { openToStrangers } from './config/open-to-strangers.ts';
import { openCustomDomains } from './custom-domains/custom-domains.ts';
import { dataDirFault, takeDataDir } from './data-dir.ts';
import { shareDescriptors } from './core/descriptor-shares.ts';
import { overloadWarnings } from './core/overload.ts';
import { type Deps, type SteadyClock, systemClock } from './deps.ts';
import { startCustomDomains } from './engine/custom-domains.ts';
import { type Engine, type EngineOptions, startEngine } from './engine/engine.ts';
import { ServiceError } from './errors.ts';
import { createRegistrationReader } from './expiry/registration.ts';
import { type AccountOptions, createAccounts } from './http/accounts.ts';
import { createDomainServer } from './http/domain-server.ts';
import { createRequestDigest } from './http/idempotency.ts';
import { closing, listen, portOf, urlOf } from './http/listen.ts';
import { listenHttps } from './http/https-listener.ts';
import { createLoopDelay } from './http/loop-delay.ts';
import { createServer } from './http/server.ts';
import { createWaitingRoom } from './http/waiting-room.ts';
import { createWorkUnderWay } from './http/work-under-way.ts';
import { createProcessLog } from './log.ts';
import { createMonitorVault } from './stored-monitors/monitor-vault.ts';
import type { RecordedTransition } from './recording/move-state.ts';
import { isSignUpClosed } from './accounts/sign-up-closed.ts';
import { createAddressDigester } from './alerting/confirmations/address-digests.ts';
import { createNotifier } from './alerting/notifier.ts';
import { selfHosted, selfHostedInPublic } from './plans/account-plan.ts';
import { fitAccounts } from './plans/fit-account.ts';
import { createPingRecorder } from './recording/ping-recorder.ts';
import { handlers } from './resources/index.ts';
import { checkedNow } from './resources/monitors/checked-now.ts';
import { createOperatorTest } from './resources/operator.ts';
import { createStatsReader } from './resources/monitor-past/stats.ts';
import { createPageCache } from './status-page/page-cache.ts';
import { createPageLoaders } from './status-page/page-loaders.ts';
import { createSteadyClock } from './steady-clock.ts';
import { openStore } from './store/open-store.ts';
import { createSeal } from './store/seal.ts';
import type { Store } from './store/store.ts';

export { type Config, ConfigError, readConfig } from './config/config.ts';
export { DataDirInUse } from './data-dir.ts';

export const version: string = packageJson.version;

/** Parts that a test or an embedding program may replace. */
export interface Overrides extends Partial<Deps> {
  clock?: SteadyClock;
  runCheck?: EngineOptions['runCheck'];
  readRegistration?: EngineOptions['readRegistration'];
  /** Limit of open files and sockets of this process. Default: no limit. */
  openFiles?: number;
  /** Environment variables that look like settings but are not. The log warns of them. */
  unknownVariables?: readonly string[];
  /** The file that settings were read from. The log warns if others may read its secrets. */
  configFile?: string | undefined;
  passwords?: AccountOptions['passwords'];
  /** How long the event loop keeps work waiting. Default: measured. */
  loopDelayMs?: () => number;
  /** Called after each stored change of a monitor's status. */
  onTransition?: (transition: RecordedTransition) => void;
}

export interface Daemon {
  /** Public address of the service: `{site_url}`. */
  url: string;
  /** Address on this machine, without any proxy in front. */
  localUrl: string;
  /** Port that serves custom domains by HTTPS; null if there is none. */
  httpsPort: number | null;
  store: Store;
  /** Answers requests without a socket; for tests. */
  inject: FastifyInstance['inject'];
  /**
   * Stops within 2 s, plus up to 10 s for messages being sent. Accepts no more requests, finishes the current ones,
   * stores what is gathered, and closes the store.
   */
  close(): Promise<void>;
  /** Lets a close wait no longer for messages being sent. They are sent again after the next start. */
  interrupt(): void;
}

/**
 * Starts a daemon in this process: store, accounts, server, engine. Throws an error with a full sentence if the data
 * folder or the port is in use, or the store cannot be opened.
 *
 * @example const daemon = await startDaemon(readConfig({ env: process.env })); await daemon.close();
 */
export async function startDaemon(config: Config, overrides: Overrides = {}): Promise<Daemon> {
  const deps: Deps & { clock: SteadyClock } = {
    clock: overrides.clock ?? createSteadyClock(systemClock),
    log: overrides.log ?? createProcessLog(config.logLevel, config.logFormat),
    random: overrides.random ?? Math.random,
  };
  const closers = createClosers();
  try {
    const dataDir = await takeDataDir(config.dataDir);
    closers.add(dataDir.release);
    const openToOthers = await dataDirFault(config.dataDir);
    if (openToOthers !== null) deps.log.warn({ dataDir: config.dataDir }, openToOthers);
    const openSecrets = overrides.configFile === undefined ? null : await configFileFault(overrides.configFile);
    if (openSecrets !== null) deps.log.warn({ configFile: overrides.configFile }, openSecrets);
    for (const name of overrides.unknownVariables ?? []) deps.log.warn({}, `${name} is not a setting, and is ignored.`);
    const store = await openStore({
      databaseUrl: config.databaseUrl ?? undefined,
      dataDir: config.dataDir,
      log: deps.log,
    });
    closers.add(() => store.close());

    let url = config.siteUrl ?? urlOf(config.host, config.port);
    let engine: Engine | null = null;
    let httpsPort: number | null = null;
    let domainLoops: ReturnType<typeof startCustomDomains> | null = null;
    const waiting = createWaitingRoom();
    const requests = createWorkUnderWay(systemClock);
    const stopping = new AbortController();
    const secret = config.secretKey ?? dataDir.secretKey;
    const checkContext = createCheckContext({
      clock: deps.clock,
      dnsServers: await lookUpNameServers(config.dnsServers ?? []),
      targets: config.targets,
      gatewayCheck: config.gatewayCheck,
    });
    closers.add(() => checkContext.close());
    /** Network access for everything except checks: the same guard and the same resolver. */
    const network = { clock: deps.clock, blockList: checkContext.blockList, lookup: createLookup(checkContext) };
    const seal = createSeal(secret);
    const vault = createMonitorVault(seal);
    const notifier = createNotifier({
      seal,
      siteUrl: () => url,
      secret,
      channels: { ...network, gateways: config, userAgent: checkContext.userAgent },
    });
    const messageRules = {
      limits: messageLimitsOf(config),
      confirmsAddresses: config.confirmAddresses === 'on',
      addresses: createAddressDigester(secret),
    };
    const { passwords } = overrides;
    const accounts = await createAccounts({ ...deps, store, secret, siteUrl: url, signup: config.signup, passwords });
    const onTransition = (transition: RecordedTransition) => {
      deps.log.info(transition, 'status changed');
      overrides.onTransition?.(transition);
    };
    const pings = createPingRecorder(store, deps.clock, onTransition);
    closers.add(() => pings.close());
    const shares = shareDescriptors(overrides.openFiles ?? Infinity);
    const publicHost = () => config.publicHost ?? new URL(url).hostname;
    const domains = await openCustomDomains(deps, {
      store,
      resolver: checkContext.resolver,
      publicHost,
      siteUrl: () => url,
      stopping: stopping.signal,
      certificates:
        config.httpsPort === null
          ? null
          : { dataDir: config.dataDir, directoryUrl: config.acmeDirectoryUrl, email: config.acmeEmail },
    });
    closers.add(() => domains.close());
    const loopDelay = createLoopDelay(() => deps.clock.monotonicMs());
    closers.add(() => loopDelay.close());
    const loopDelayMs = overrides.loopDelayMs ?? loopDelay.meanMs;
    const getPage = createPageCache(createPageLoaders(store), deps, loopDelayMs);
    const { trustProxy } = config;
    const domainServer = createDomainServer({
      domains,
      getPage,
      log: deps.log,
      trustProxy,
      httpsPort: () => httpsPort,
    });
    const billing = createBilling({ ...config, siteUrl: () => url, secret, seal, clock: deps.clock });
    // Since the last start the plans may have changed, and so may the billing setting.
    await fitAccounts(store, billing !== null, () => deps.clock.now());
    const app = createServer({
      backend: {
        store,
        deps,
        version,
        accounts,
        siteUrl: () => url,
        publicHost,
        domains,
        billing,
        plans: { charged: billing !== null, unpaid: config.mode === 'public' ? selfHostedInPublic : selfHosted },
        checksOf: (project) => running(engine).checksOf(project),
        notifier,
        messageRules,
        digestRequest: createRequestDigest(secret),
        vault,
        stopping: stopping.signal,
        readStats: createStatsReader(store),
        checkNow: async (monitor) =>
          checkedNow(await waiting.untilClosed(running(engine).checkNow(monitor)), config.region),
        health: {
          reason: () => (engine ? engine.health.reason() : 'The daemon is starting.'),
          warnings: async () => [
            ...((await engine?.health.warnings()) ?? []),
            ...domains.warnings(),
            ...(domainLoops?.warnings() ?? []),
            ...overloadWarnings(loopDelayMs()),
          ],
        },
        isOperator: createOperatorTest({ store, accounts }),
      },
      handlers,
      getPage,
      domainServer,
      recordPing: (ping) => pings.record(ping),
      rateLimit: config.rateLimit === 'on',
      mostConnections: shares.connections,
      secret,
      trustProxy,
      loopDelayMs,
      underWay: (work) => requests.add(work),
    });
    closers.add(() => requests.settled(500));

    // Listens first, so that pings that waited during the stop are recorded before any silence is judged.
    const port = await listen(app, config);
    const localUrl = urlOf(config.host, port);
    url = config.siteUrl ?? localUrl;
    closers.add(() => closing(app.server, () => app.close()));
    const https =
      config.httpsPort === null
        ? null
        : await listenHttps({
            host: config.host,
            port: config.httpsPort,
            domains,
            most: shares.connections,
            answer: (request, response) =>
              (domains.isSite(request.headers.host ?? '') ? app : domainServer).routing(request, response),
          });
    if (https) closers.add(() => closing(https, () => new Promise((closed) => https.close(closed))));
    httpsPort = https && portOf(https);
    engine = await startEngine(deps, {
      store,
      region: config.region,
      runCheck:
        overrides.runCheck ??
        ((fields, signal, project) => runCheck(fields, checkContext, { retries: fields.retries, signal, project })),
      networkTrouble: () => checkContext.network.trouble(),
      pings,
      notifier,
      messageRules,
      vault,
      shares,
      limitAsking: config.rateLimit === 'on',
      rawRetentionDays: config.rawRetentionDays,
      readRegistration:
        overrides.readRegistration ?? createRegistrationReader({ ...network, bootstrapUrl: config.rdapBootstrapUrl }),
      onTransition,
    });
    const started = engine;
    closers.add(() => started.stop());
    const startedDomainLoops = startCustomDomains(deps, domains);
    domainLoops = startedDomainLoops;
    closers.add(() => startedDomainLoops.stop());
    closers.add(() => stopping.abort());
    closers.add(() =>
      waiting.close(new ServiceError('unavailable', 'The daemon is stopping.', { retryAfterSeconds: 5 })),
    );
    const warning = openToStrangers(config, await isSignUpClosed(store));
    if (warning !== null) deps.log.warn({ host: config.host }, warning);
    deps.log.info({ url, httpsPort, version, dataDir: config.dataDir, database: store.dialect.name }, 'serving');

    return {
      url,
      localUrl,
      httpsPort,
      store,
      inject: app.inject.bind(app),
      close: () => closers.close(),
      interrupt: () => started.interrupt(),
    };
  } catch (error) {
    await closers.close().catch((failure: unknown) => deps.log.error({ err: failure }, 'closing failed too'));
    throw error;
  }
}

function running(engine: Engine | null): Engine {
  if (!engine) throw new ServiceError('unavailable', 'The daemon is starting.', { retryAfterSeconds: 1 });
  return engine;
}
