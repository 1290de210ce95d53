/**
 * Modules that each program of the single executable needs at its start. The build loads them once, and stores
 * a snapshot of V8's heap in the executable (see `load-program.cjs`). While these modules load, they must not read the
 * environment, the clock or files.
 */
export * as contract from '@uptime/sdk/contract';
export * as zod from 'zod';
export * as probeProtocol from '../packages/daemon/src/probe-protocol.ts';
