import type { HealthReport } from '../resources/handler.ts';
import { overloadWarnings } from '../core/overload.ts';
import type { startCustomDomains } from '../engine/custom-domains.ts';
import type { Engine } from '../engine/engine.ts';
import type { UnreadableSecrets } from '../engine/unreadable-secrets.ts';
import { ServiceError } from '../errors.ts';

/** Facts that are known only once the daemon listens, or once its loops run. */
export interface Started {
  /** The public address of the service, without a trailing slash. Until the daemon listens, as configured. */
  url: string;
  httpsPort: number | null;
  engine: Engine | null;
  domainLoops: ReturnType<typeof startCustomDomains> | null;
  unreadableSecrets: UnreadableSecrets | null;
}

/** Throws `unavailable` until the engine runs. */
export function runningEngine({ engine }: Started): Engine {
  if (!engine) throw new ServiceError('unavailable', 'The daemon is starting.', { retryAfterSeconds: 1 });
  return engine;
}

export const healthOf = (
  started: Started,
  parts: { domainWarnings: () => string[]; loopDelayMs: () => number },
): HealthReport => ({
  reason: () => (started.engine ? started.engine.health.reason() : 'The daemon is starting.'),
  warnings: async () => [
    ...((await started.engine?.health.warnings()) ?? []),
    ...((await started.unreadableSecrets?.warnings()) ?? []),
    ...parts.domainWarnings(),
    ...(started.domainLoops?.warnings() ?? []),
    ...overloadWarnings(parts.loopDelayMs()),
  ],
});
