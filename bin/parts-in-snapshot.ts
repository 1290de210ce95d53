/**
 * Parts that each program of the single executable needs at its start. The build loads them once, and stores V8's
 * memory after that in the executable (`load-program.cjs`). They must not read the environment, the clock or files
 * while they load.
 */
export * as contract from '@uptime/sdk/contract';
export * as zod from 'zod';
export * as probeProtocol from '../packages/daemon/src/probe-protocol.ts';
