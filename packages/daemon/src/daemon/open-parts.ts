import { createBilling } from '../billing/index.ts';
import { createAddressDigester } from '../alerting/confirmations/address-digests.ts';
import type { AddressRules } from '../alerting/message-rules.ts';
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
import { refuseOtherKey } from '../store/refuse-other-key.ts';
import { createSeal, type Seal } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import { createMonitorVault } from '../stored-monitors/monitor-vault.ts';
import { refuseMoved } from '../move-to-postgres/refuse-moved.ts';
import type { Overrides } from './overrides.ts';
import type { Started } from './started.ts';
import { warnOfOpenFiles } from './warn-of-open-files.ts';

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens everything that the server and the engine share. Each part adds the function that closes it to `closers`. */
export async function openParts(
  deps: Deps & { clock: SteadyClock },
  config: Config,
  overrides: Overrides,
  { started, closers, stopping }: { started: Started; closers: Closers; stopping: AbortSignal },
) {
  const dataDir = takeDataDir(config.dataDir);
  closers.add(dataDir.release);
  await warnOfOpenFiles(deps.log, config, overrides);
  /** The name of this daemon among all daemons on the same database. It stays the same after a restart. */
  const instance = `serve:${dataDir.instance}`;
  const secret = config.secretKey ?? dataDir.secretKey;
  const store = await openUsableStore(deps, config, { instance, secret }, closers);
  const siteUrl = () => started.url;
  const { checkContext, network } = await openNetwork(deps.clock, config, closers);
  const seal = createSeal(secret);
  const channels = { ...network, gateways: config, userAgent: checkContext.userAgent };
  const [{ passwords }, { signup }] = [overrides, config];
  const accounts = await createAccounts({ ...deps, store, secret, siteUrl: started.url, signup, passwords });
  const onTransition = (transition: RecordedTransition) => {
    deps.log.info(transition, 'status changed');
    overrides.onTransition?.(transition);
  };
  const pings = createPingRecorder(store, deps.clock, onTransition);
  closers.add(() => pings.close());
  const publicHost = () => config.publicHost ?? new URL(started.url).hostname;
  const { resolver } = checkContext;
  const certificates = certificateOptions(config, { instance, seal });
  const domains = await openCustomDomains(deps, { store, resolver, publicHost, siteUrl, stopping, certificates });
  closers.add(() => domains.close());
  const loopDelay = createLoopDelay(() => deps.clock.monotonicMs());
  closers.add(() => loopDelay.close());
  const loopDelayMs = overrides.loopDelayMs ?? loopDelay.meanMs;

  return {
    store,
    instance,
    siteUrl,
    secret,
    checkContext,
    network,
    seal,
    vault: createMonitorVault(seal),
    notifier: createNotifier({ seal, siteUrl, secret, channels }),
    messageRules: messageRulesOf(config, secret),
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

/** Opens the store. Throws if this daemon must not use this database. */
async function openUsableStore(
  { log, clock }: Deps,
  { databaseUrl, dataDir }: Config,
  node: { instance: string; secret: string },
  closers: Closers,
): Promise<Store> {
  const store = await openStore({ databaseUrl: databaseUrl ?? undefined, dataDir, log });
  closers.add(() => store.close());
  await refuseMoved(store, clock.now());
  await refuseOtherKey(store, node);
  return store;
}

/**
 * Opens the network access. `checkContext` is for checks. `network` is for all other requests, with the same resolver
 * and the same forbidden targets.
 */
async function openNetwork(clock: SteadyClock, config: Config, closers: Closers) {
  const checkContext = createCheckContext({
    clock,
    dnsServers: await lookUpNameServers(config.dnsServers ?? []),
    targets: config.targets,
    gatewayCheck: config.gatewayCheck,
  });
  closers.add(() => checkContext.close());
  const network = { clock, blockList: checkContext.blockList, lookup: createLookup(checkContext) };
  return { checkContext, network };
}

/**
 * The options for certificates of custom domains: the authority, and where certificates are stored. Null if the daemon
 * serves no HTTPS.
 */
const certificateOptions = (
  { httpsPort, dataDir, acmeDirectoryUrl: directoryUrl, acmeEmail: email, roles }: Config,
  { instance, seal }: { instance: string; seal: Seal },
) => {
  const orderer = roles.includes('housekeeping') ? instance : null;
  return httpsPort === null ? null : { dataDir, directoryUrl, email, seal, orderer };
};

const messageRulesOf = (config: Config, secret: string): AddressRules => ({
  limits: messageLimitsOf(config),
  confirmsAddresses: config.confirmAddresses === 'on',
  addresses: createAddressDigester(secret),
});
