import { runCheck } from '../checks/index.ts';
import type { Config } from '../config/config.ts';
import type { EngineOptions } from '../engine/engine.ts';
import { createRegistrationReader } from '../expiry/registration.ts';
import type { Parts } from './open-parts.ts';
import type { Overrides } from './overrides.ts';

/**
 * When the daemon stops, running checks may finish within this time. A stop takes at most two seconds if no message is
 * being sent.
 */
const finishChecksWithinMs = 500;

/** Returns the options of the engine, made from the daemon's parts. */
export function engineOptions(config: Config, parts: Parts, overrides: Overrides): EngineOptions {
  const { checkContext, network, store, pings, notifier, messageRules, vault, shares, onTransition } = parts;
  const { region, roles, rawRetentionDays, projectMetrics, rdapBootstrapUrl: bootstrapUrl } = config;
  return {
    store,
    instance: parts.instance,
    wallClock: store.dialect.wallClock,
    region,
    roles,
    runCheck:
      overrides.runCheck ??
      ((fields, signal, project) => runCheck(fields, checkContext, { retries: fields.retries, signal, project })),
    networkTrouble: () => checkContext.network.trouble(),
    pings,
    notifier,
    messageRules,
    vault,
    shares,
    // On PostgreSQL, other nodes take over the checks of a stopping node. Running checks get time to finish first, so
    // that other nodes do not repeat them.
    finishChecksWithinMs: store.dialect.exclusive ? 0 : finishChecksWithinMs,
    rawRetentionDays,
    projectMetrics,
    readRegistration: overrides.readRegistration ?? createRegistrationReader({ ...network, bootstrapUrl }),
    onTransition,
  };
}
