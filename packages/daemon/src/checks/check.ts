import type { BlockList } from 'node:net';
import type { Transform } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { ActiveMonitorType, CheckError, MonitorFields, NormalMonitor } from '@uptime/sdk/contract';
import type { Clock } from '../deps.ts';
import type { ByteBudget, ByteLease } from './byte-budget.ts';
import type { OwnNetwork } from './own-network/own-network.ts';
import type { Resolver } from './resolver.ts';

/** The monitor types whose target the checker contacts. Heartbeats wait for pings instead. */
export type ActiveType = ActiveMonitorType;
export type ActiveFields = Extract<NormalMonitor, { type: ActiveType }>;

/** Milliseconds spent in each phase, summed over redirects; null for a phase that did not happen. */
export interface Timings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  download: number | null;
}

/** The certificate that the target sent. It may be one that failed the verification. */
export interface SeenCertificate {
  validFrom: number;
  validTo: number;
  issuer: string;
  subject: string;
  /** SHA-256 of the certificate, in hex. It identifies the certificate. */
  fingerprint: string;
  /** Why the certificate cannot be verified for this host, or null. */
  error: CheckError | null;
}

/** One step of a check, for people who look for the cause of a failure. */
export interface TraceStep {
  /** Milliseconds from the start of the check. */
  at: number;
  event: string;
}

/**
 * The outcome of a check. `internal` is a fault of the checker itself (no file descriptors, a dead resolver, a stalled
 * event loop), and never a verdict on the target.
 */
export interface CheckOutcome {
  verdict: 'up' | 'down' | 'internal';
  error: CheckError | null;
  /** Milliseconds; null if the target did not answer. */
  responseTime: number | null;
  statusCode: number | null;
  timings: Timings | null;
  certificate: SeenCertificate | null;
  trace: readonly TraceStep[];
}

/** The dependencies of every check. `createCheckContext` makes them once for a process. */
export interface CheckContext {
  clock: Clock;
  resolver: Resolver;
  /** Distinguishes a fault of the checker's own network from a fault of a target. */
  network: OwnNetwork;
  /** Addresses that checks never connect to; the `blockList` for `net.connect`. */
  blockList: BlockList;
  /** Returns the secure context. All TLS checks share it, because creating it takes longer than half a handshake. */
  secureContext: () => SecureContext;
  /**
   * Creates a stream that decodes brotli and stops after about `maxBytes` bytes. `lease` counts the bytes that the
   * stream gathers. Node's own decoder is never used (docs/security.md).
   */
  brotli: (maxBytes: number, lease?: ByteLease) => Transform;
  /** Limits the memory for the bodies of running checks, in total and for each project. */
  memory: ByteBudget;
  /** The project that the check belongs to. */
  project?: string | undefined;
  /** The `user-agent` of http checks, unless the monitor sets its own. */
  userAgent: string;
  /** When this signal is aborted, running checks end as `internal` within a quarter of a second. */
  signal?: AbortSignal | undefined;
}

/** A check never throws, outlives its timeout by at most a second, and leaves no socket open. */
export type Check<T extends ActiveType> = (monitor: MonitorFields<T>, context: CheckContext) => Promise<CheckOutcome>;
