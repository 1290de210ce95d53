import { passingCheck } from './passing-check.ts';
import { createTestDaemon, type TestDaemon } from './test-daemon.ts';
import type { TestWorld } from './test-world.ts';

/**
 * Starts a daemon for generated requests. No request makes it contact a target, a registry or a name server outside of
 * this machine.
 */
export const createFuzzedDaemon = (world?: TestWorld): Promise<TestDaemon> =>
  createTestDaemon({
    ...(world && { world }),
    runCheck: passingCheck,
    readRegistration: async () => ({ expiresAt: null, registrar: null, error: 'asked nobody', unsupported: true }),
    env: { UPTIME_DNS_SERVERS: '127.0.0.1:1' },
  });
