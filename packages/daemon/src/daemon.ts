import type { FastifyInstance } from 'fastify';
import { isSignUpClosed } from './accounts/sign-up-closed.ts';
import { type Closers, createClosers } from './closers.ts';
import type { Config } from './config/config.ts';
import { urlOf } from './config/local-url.ts';
import { openSignUpWarning } from './config/open-sign-up-warning.ts';
import { catchUp } from './daemon/catch-up.ts';
import { createApp } from './daemon/create-app.ts';
import { openParts } from './daemon/open-parts.ts';
import type { Overrides } from './daemon/overrides.ts';
import { startListening } from './daemon/start-listening.ts';
import { startWriting } from './daemon/start-writing.ts';
import { createStarted } from './daemon/started.ts';
import { version } from './daemon/version.ts';
import { type Deps, type SteadyClock, systemClock } from './deps.ts';
import { createDownloads } from './downloads/downloads.ts';
import { executablePath, readDownloadFile } from './downloads/program-files.ts';
import { watchUnreadableSecrets } from './engine/unreadable-secrets.ts';
import { ServiceError } from './errors.ts';
import { createWaitingRoom } from './http/waiting-room.ts';
import { createWorkUnderWay } from './http/work-under-way.ts';
import { createProcessLog } from './log.ts';
import { createSteadyClock } from './steady-clock.ts';
import type { Store } from './store/store.ts';

export { type Config, ConfigError, readConfig } from './config/config.ts';
export type { Overrides } from './daemon/overrides.ts';
export { version } from './daemon/version.ts';
export { DataDirInUse } from './data-dir.ts';

export interface Daemon {
  /** Public address of the service, without a trailing slash. The documentation writes it as `{site_url}`. */
  url: string;
  /** Address on this machine, without any proxy in front. */
  localUrl: string;
  /** Port that serves custom domains by HTTPS; null if the daemon serves no HTTPS. */
  httpsPort: number | null;
  store: Store;
  /** Passes a request to the server without a socket. For tests. */
  inject: FastifyInstance['inject'];
  /**
   * Stops within 2 s, plus up to 10 s for messages being sent. Accepts no more requests, finishes running requests,
   * stores what is still in memory, and closes the store.
   */
  close(): Promise<void>;
  /**
   * Lets `close` end without waiting for messages that are being sent. These messages are sent again after the next
   * start.
   */
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
    return await start(deps, config, overrides, closers);
  } catch (error) {
    await closers.close().catch((failure: unknown) => deps.log.error({ err: failure }, 'some parts failed to close'));
    throw error;
  }
}

async function start(
  deps: Deps & { clock: SteadyClock },
  config: Config,
  overrides: Overrides,
  closers: Closers,
): Promise<Daemon> {
  const { log } = deps;
  const stopping = new AbortController();
  const started = createStarted(config.siteUrl ?? urlOf(config.host, config.port));
  const waiting = createWaitingRoom();
  const requests = createWorkUnderWay(systemClock);
  const parts = await openParts(deps, config, overrides, { started, closers, stopping: stopping.signal });
  const { store, vault, notifier } = parts;
  const plans = await catchUp(deps, config, parts);
  const downloads = overrides.downloads ?? createDownloads(readDownloadFile, executablePath());
  const serving = { downloads, started, waiting, requests, stopping: stopping.signal };
  const servers = createApp({ deps, config, parts, plans, ...serving });
  closers.add(() => requests.settled(500));

  // Jobs now repeat the pings that failed while the daemon was stopped. The daemon must record these pings before it
  // looks for silent heartbeats. So it listens before the loops start.
  const localUrl = await startListening(servers, { config, parts, started, closers });
  await startWriting(deps, config, parts, { overrides, started, closers });
  closers.add(() => stopping.abort());
  closers.add(() =>
    waiting.close(new ServiceError('unavailable', 'The daemon is stopping.', { retryAfterSeconds: 5 })),
  );
  const unreadableSecrets = watchUnreadableSecrets(deps, { store, vault, notifier });
  started.unreadableSecrets = unreadableSecrets;
  closers.add(() => unreadableSecrets.close());
  const warning = openSignUpWarning(config, await isSignUpClosed(store));
  if (warning !== null) log.warn({ host: config.host }, warning);
  const { url, httpsPort } = started;
  const { dataDir, roles } = config;
  log.info({ url, httpsPort, version, dataDir, database: store.dialect.name, roles }, 'serving');

  return {
    url,
    localUrl,
    httpsPort,
    store,
    inject: servers.app.inject.bind(servers.app),
    close: () => closers.close(),
    interrupt: () => started.engine?.interrupt(),
  };
}
