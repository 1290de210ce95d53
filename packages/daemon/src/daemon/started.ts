import type { HealthReport } from '../resources/handler.ts';
import { overloadWarnings } from '../core/overload.ts';
import type { startCustomDomains } from '../engine/custom-domains.ts';
import type { Engine } from '../engine/engine.ts';
import type { UnreadableSecrets } from '../engine/unreadable-secrets.ts';
import { ServiceError } from '../errors.ts';

/** Values that are unknown until the daemon listens, or until its loops run. */
export interface Started {
  /** The public address of the service, without a trailing slash. Its port may be 0 until the daemon listens. */
  url: string;
  httpsPort: number | null;
  engine: Engine | null;
  domainLoops: ReturnType<typeof startCustomDomains> | null;
  unreadableSecrets: UnreadableSecrets | null;
  /** Whether the data moves to PostgreSQL now, so that only pings may be written. */
  isMoving(): boolean;
}

/** Returns the values before the start. Until the daemon listens, `url` is the configured public address. */
export const createStarted = (url: string): Started => ({
  url,
  httpsPort: null,
  engine: null,
  domainLoops: null,
  unreadableSecrets: null,
  isMoving: () => false,
});

/** Throws `unavailable` while the data moves to PostgreSQL. Call it before every write except pings. */
export function refuseWritesDuringMove(started: Started): void {
  if (started.isMoving()) throw new ServiceError('unavailable', movingText, { retryAfterSeconds: 30 });
}

const movingText = 'The data is being moved to PostgreSQL. Until the daemon starts there, it accepts only pings.';

/** Returns the engine. Throws `unavailable` while it does not run. */
export function runningEngine(started: Started): Engine {
  const { engine } = started;
  refuseWritesDuringMove(started);
  if (!engine) throw new ServiceError('unavailable', 'The daemon is starting.', { retryAfterSeconds: 1 });
  return engine;
}

export const healthOf = (
  started: Started,
  parts: { domainWarnings: () => string[]; loopDelayMs: () => number },
): HealthReport => ({
  reason() {
    if (started.isMoving()) return movingText;
    return started.engine ? started.engine.health.reason() : 'The daemon is starting.';
  },
  warnings: async () => [
    ...((await started.engine?.health.warnings()) ?? []),
    ...((await started.unreadableSecrets?.warnings()) ?? []),
    ...parts.domainWarnings(),
    ...(started.domainLoops?.warnings() ?? []),
    ...overloadWarnings(parts.loopDelayMs()),
  ],
  checkLatenessMs: () => started.engine?.health.latenessMs() ?? 0,
  loopDelayMs: parts.loopDelayMs,
});
