import { createBilling } from '../billing/index.ts';
import { createAddressDigester } from '../alerting/confirmations/address-digests.ts';
import { createNotifier } from '../alerting/notifier.ts';
import { createCheckContext } from '../checks/index.ts';
import { createLookup } from '../checks/lookup.ts';
import { lookUpNameServers } from '../checks/name-servers.ts';
import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { messageLimitsOf } from '../config/message-limits.ts';
import { shareDescriptors } from '../core/descriptor-shares.ts';
import { openCustomDomains } from '../custom-domains/custom-domains.ts';
import { takeDataDir } from '../data-dir.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { createAccounts } from '../http/accounts.ts';
import { createLoopDelay } from '../http/loop-delay.ts';
import { createPingRecorder } from '../recording/ping-recorder.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import { createPageCache } from '../status-page/page-cache.ts';
import { createPageLoaders } from '../status-page/page-loaders.ts';
import { openStore } from '../store/open-store.ts';
import { createSeal } from '../store/seal.ts';
import { createMonitorVault } from '../stored-monitors/monitor-vault.ts';
import type { Overrides } from './overrides.ts';
import type { Started } from './started.ts';
import { warnOfOpenFiles } from './warn-of-open-files.ts';

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens everything that the server and the engine share. Each part adds its own end to `closers`. */
export async function openParts(
  deps: Deps & { clock: SteadyClock },
  config: Config,
  overrides: Overrides,
  { started, closers, stopping }: { started: Started; closers: Closers; stopping: AbortSignal },
) {
  const dataDir = await takeDataDir(config.dataDir);
  closers.add(dataDir.release);
  await warnOfOpenFiles(deps.log, config, overrides);
  const store = await openStore({
    databaseUrl: config.databaseUrl ?? undefined,
    dataDir: config.dataDir,
    log: deps.log,
  });
  closers.add(() => store.close());

  const siteUrl = () => started.url;
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
  const channels = { ...network, gateways: config, userAgent: checkContext.userAgent };
  const messageRules = {
    limits: messageLimitsOf(config),
    confirmsAddresses: config.confirmAddresses === 'on',
    addresses: createAddressDigester(secret),
  };
  const { passwords } = overrides;
  const { signup } = config;
  const accounts = await createAccounts({ ...deps, store, secret, siteUrl: started.url, signup, passwords });
  const onTransition = (transition: RecordedTransition) => {
    deps.log.info(transition, 'status changed');
    overrides.onTransition?.(transition);
  };
  const pings = createPingRecorder(store, deps.clock, onTransition);
  closers.add(() => pings.close());
  const publicHost = () => config.publicHost ?? new URL(started.url).hostname;
  const { dataDir: folder, acmeDirectoryUrl: directoryUrl, acmeEmail: email } = config;
  const domains = await openCustomDomains(deps, {
    store,
    resolver: checkContext.resolver,
    publicHost,
    siteUrl,
    stopping,
    certificates: config.httpsPort === null ? null : { dataDir: folder, directoryUrl, email },
  });
  closers.add(() => domains.close());
  const loopDelay = createLoopDelay(() => deps.clock.monotonicMs());
  closers.add(() => loopDelay.close());
  const loopDelayMs = overrides.loopDelayMs ?? loopDelay.meanMs;

  return {
    store,
    /** Tells this daemon from others on the same database, also after a restart. */
    instance: `serve:${dataDir.instance}`,
    siteUrl,
    secret,
    checkContext,
    network,
    vault: createMonitorVault(seal),
    notifier: createNotifier({ seal, siteUrl, secret, channels }),
    messageRules,
    accounts,
    onTransition,
    pings,
    shares: shareDescriptors(overrides.openFiles ?? Infinity),
    publicHost,
    domains,
    loopDelayMs,
    getPage: createPageCache(createPageLoaders(store), deps, loopDelayMs),
    billing: createBilling({ ...config, siteUrl, secret, seal, clock: deps.clock }),
  };
}
