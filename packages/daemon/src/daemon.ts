import type { FastifyInstance } from 'fastify';
import { isSignUpClosed } from './accounts/sign-up-closed.ts';
import { createClosers } from './closers.ts';
import type { Config } from './config/config.ts';
import { openToStrangers } from './config/open-to-strangers.ts';
import { createApp } from './daemon/create-app.ts';
import { engineOptions } from './daemon/engine-options.ts';
import { openParts } from './daemon/open-parts.ts';
import type { Overrides } from './daemon/overrides.ts';
import type { Started } from './daemon/started.ts';
import { version } from './daemon/version.ts';
import { type Deps, type SteadyClock, systemClock } from './deps.ts';
import { createDownloads } from './downloads/downloads.ts';
import { executablePath, readDownloadFile } from './downloads/program-files.ts';
import { startCustomDomains } from './engine/custom-domains.ts';
import { joinTimeline } from './engine/follow-wall-clock.ts';
import { startEngine } from './engine/engine.ts';
import { finishUpgrade } from './engine/finish-upgrade.ts';
import { watchUnreadableSecrets } from './engine/unreadable-secrets.ts';
import { ServiceError } from './errors.ts';
import { listenHttps } from './http/https-listener.ts';
import { closing, listen, portOf, urlOf } from './http/listen.ts';
import { createWaitingRoom } from './http/waiting-room.ts';
import { createWorkUnderWay } from './http/work-under-way.ts';
import { createProcessLog } from './log.ts';
import { planRules } from './plans/account-plan.ts';
import { fitAccounts } from './plans/fit-account.ts';
import { createSteadyClock } from './steady-clock.ts';
import type { Store } from './store/store.ts';

export { type Config, ConfigError, readConfig } from './config/config.ts';
export type { Overrides } from './daemon/overrides.ts';
export { version } from './daemon/version.ts';
export { DataDirInUse } from './data-dir.ts';

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
  const { log } = deps;
  const closers = createClosers();
  const stopping = new AbortController();
  const url = config.siteUrl ?? urlOf(config.host, config.port);
  const started: Started = { url, httpsPort: null, engine: null, domainLoops: null, unreadableSecrets: null };
  try {
    const waiting = createWaitingRoom();
    const requests = createWorkUnderWay(systemClock);
    const parts = await openParts(deps, config, overrides, { started, closers, stopping: stopping.signal });
    const { store, domains } = parts;
    // Comes before the first ping, so that no time is stored from another timeline.
    await joinTimeline({ ...parts, clock: deps.clock, wallClock: store.dialect.wallClock });
    // Since the last start the plans may have changed, and so may the billing setting.
    const plans = planRules({ charged: parts.billing !== null, mode: config.mode });
    const fitted = await fitAccounts(store, plans, () => deps.clock.now());
    if (fitted.monitors > 0) log.warn(fitted, 'paused monitors beyond the limits of their accounts');
    const servers = createApp({
      deps,
      config,
      parts,
      plans,
      downloads: overrides.downloads ?? createDownloads(readDownloadFile, executablePath()),
      started,
      waiting,
      requests,
      stopping: stopping.signal,
    });
    const { app, domainServer } = servers;
    closers.add(() => requests.settled(500));

    // Listens first, so that pings that waited during the stop are recorded before any silence is judged.
    const localUrl = urlOf(config.host, await listen(app, config));
    started.url = config.siteUrl ?? localUrl;
    closers.add(() => closing(app.server, () => app.close()));
    if (config.httpsPort !== null) {
      const https = await listenHttps({
        host: config.host,
        port: config.httpsPort,
        domains,
        most: parts.shares.connections,
        answer: (request, response) =>
          (domains.isSite(request.headers.host ?? '') ? app : domainServer).routing(request, response),
      });
      closers.add(() => closing(https, () => new Promise((closed) => https.close(closed))));
      started.httpsPort = portOf(https);
    }
    const engine = await startEngine(deps, engineOptions(config, parts, overrides));
    started.engine = engine;
    closers.add(() => engine.stop());
    const domainLoops = startCustomDomains(deps, domains);
    started.domainLoops = domainLoops;
    closers.add(() => domainLoops.stop());
    closers.add(() => stopping.abort());
    closers.add(() =>
      waiting.close(new ServiceError('unavailable', 'The daemon is stopping.', { retryAfterSeconds: 5 })),
    );
    const { vault, notifier } = parts;
    closers.add(finishUpgrade(deps, store, vault));
    const unreadableSecrets = watchUnreadableSecrets(deps, { store, vault, notifier });
    started.unreadableSecrets = unreadableSecrets;
    closers.add(() => unreadableSecrets.close());
    const warning = openToStrangers(config, await isSignUpClosed(store));
    if (warning !== null) log.warn({ host: config.host }, warning);
    const { dataDir } = config;
    const { httpsPort } = started;
    log.info({ url: started.url, httpsPort, version, dataDir, database: store.dialect.name }, 'serving');

    return {
      url: started.url,
      localUrl,
      httpsPort,
      store,
      inject: app.inject.bind(app),
      close: () => closers.close(),
      interrupt: () => engine.interrupt(),
    };
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error({ err: failure }, 'closing failed too'));
    throw error;
  }
}
