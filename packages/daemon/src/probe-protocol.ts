import { checkErrorCodes, maxIntervalSeconds } from '@uptime/sdk/contract';
import { z } from 'zod';
import { earliestCertificateTime, latestCertificateTime } from './core/certificate-times.ts';
import { plainLine } from './core/plain-line.ts';
import { bucketCount } from './core/version-buckets.ts';

/*
 * The protocol between a probe and its server: JSON POSTs from the probe, below {site_url}/api/probe. With `sync`, the
 * probe reports its state and gets the monitors that it should check; the server answers as soon as these monitors
 * change, or after `waitMs`. With `results`, the probe sends results; a repeated call changes nothing. All times are
 * epoch milliseconds on the server's clock, except `sentAt`.
 */

/**
 * The version of the protocol. A server serves probes with this version and older ones. It refuses probes with a newer
 * version, and says what to update. A new optional field needs no new version, because both sides ignore fields that
 * they do not know.
 */
export const probeProtocol = 2;
/** The oldest version that a server serves. Version 1 was never released. */
export const oldestProbeProtocol = 2;

/**
 * Longest time that the server keeps a sync waiting for a change. It must be shorter than the time after which a probe
 * without calls counts as gone.
 */
export const maxSyncMs = 5000;
/** Maximum number of monitors in one sync answer. The probe calls again at once to get the other monitors. */
export const maxAssigned = 200;
/**
 * An answer asks for the versions of at most this many monitors. If the first bucket that it asks for has more
 * monitors, it asks for only this bucket.
 */
export const maxVersionsAsked = 8000;
/** Maximum number of characters of the text with the versions of one bucket. */
const maxVersionCharacters = 400_000;
/** Maximum number of results in one request. */
export const maxResults = 200;
/** Maximum number of characters of all results in one request, so that the body stays below the server's limit. */
export const maxResultCharacters = 400_000;

/** A time that a JavaScript `Date` can hold. */
const time = z.int().min(0).max(8.64e15);
const count = z.int().min(0).max(1e9);
const monitor = z.int().min(1).max(9e15);
const bucket = z
  .int()
  .min(0)
  .max(bucketCount - 1);
const name = z.string().regex(/^[0-9a-f]{16,64}$/);

/**
 * A random name of the process that runs the probe. It distinguishes two processes whose data folders are copies, so
 * that the server can refuse the older process. Null if the probe does not send it.
 */
const run = { run: name.nullable().default(null) };
const version = { protocol: z.int().min(1).max(1e6) };
export const anyProbeCall = z.object(version);

export const syncCall = z.object({
  ...version,
  /** The name that the probe gave itself. */
  probe: name,
  ...run,
  /** Whether the server has not answered this process yet. */
  joins: z.boolean().default(false),
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  /** The time on the probe's clock when it sent this call. */
  sentAt: time,
  /**
   * The digest of each bucket of the monitors that the probe has, in the order of the buckets (see
   * core/version-buckets.ts).
   */
  has: z.array(z.string().max(40)).length(bucketCount),
  /**
   * The buckets that the latest answer asked for (`ask`). `text` lists the versions of the probe's monitors in a
   * bucket: see core/version-buckets.ts.
   */
  versions: z
    .array(z.object({ bucket, text: z.string().max(maxVersionCharacters) }))
    .max(bucketCount)
    .default([]),
  waitMs: z.int().min(0).max(60_000),
  queued: count,
  oldestAt: time.nullable(),
  /** By how much the probe's clock is ahead of the server's, as the probe measured. */
  skewMs: z.number().min(-9e15).max(9e15).nullable(),
  /** Why the probe cannot check now; null if it can. */
  fault: z.string().max(300).nullable(),
  /** Whether most checks of the probe give no verdict now. If so, other probes of its region take over its monitors. */
  failing: z.boolean().default(false),
  /** Whether the probe stops now. If so, other probes of its region take over its monitors at once. */
  leaving: z.boolean().default(false),
});
export type SyncCall = z.output<typeof syncCall>;
export type SentSyncCall = z.input<typeof syncCall>;

const monitorVersion = {
  monitor,
  /**
   * The number of this generation of the monitor. It rises with each edit that affects results. Each result contains
   * the generation that the probe checked.
   */
  generation: count,
  /** When the monitor was last edited. */
  updatedAt: time,
};

/** Returns the version of a monitor: a text that changes with every edit. */
export const versionOf = ({ generation, updatedAt }: { generation: number; updatedAt: number }): string =>
  `${generation}.${updatedAt}`;

const assignment = z.object({
  ...monitorVersion,
  /** The monitor's project. The probe divides its slots (the checks that may run at once) among the projects. */
  project: z.string().max(100),
  /** When the next check is due. */
  dueAt: time,
  fields: z.looseObject({ type: z.string().max(100), interval: z.number().positive() }),
  /**
   * The names of the fields that have their default value. A probe leaves out such a field if it does not know the
   * field. Older servers do not send these names.
   */
  defaults: z.array(z.string().max(100)).optional(),
});
export type Assignment = z.output<typeof assignment>;

export const syncAnswer = z.object({
  ...version,
  /** When the server answered. */
  now: time,
  /** How long the server kept the request before it answered, so that the probe can compute the round trip. */
  keptMs: z.number().min(0),
  region: z.object({ id: z.int().min(1), name: z.string() }),
  /** Which targets the server lets its monitors check (UPTIME_TARGETS). Older servers do not send this field. */
  targets: z.enum(['all', 'public-only']).optional(),
  /** The highest `seq` among the results of this probe that the server has recorded. */
  applied: z.int().min(0),
  /**
   * Buckets whose digests show that the probe has wrong monitors in them. The server does not know which monitors are
   * wrong. So the probe calls again at once, with the versions of its monitors in these buckets.
   */
  ask: z.array(bucket),
  assignments: z.array(assignment),
  /** Monitors of the probe's region that the server cannot send, because it cannot read their secrets. */
  unavailable: z.array(z.object(monitorVersion)),
  removed: z.array(monitor),
});
export type SyncAnswer = z.output<typeof syncAnswer>;

const milliseconds = z.number().min(0).max(1e9).nullable();
/** A text that becomes one line: without NUL, which PostgreSQL refuses, and without other control characters. */
const line = (maxCharacters: number) => z.string().max(maxCharacters).transform(plainLine);
const checkError = z.object({ code: z.enum(checkErrorCodes), message: line(300) }).nullable();
const certificateTime = z.int().min(earliestCertificateTime).max(latestCertificateTime);

export const probeResult = z.object({
  /** The number of the result. Each probe numbers its results in ascending order, possibly with gaps. */
  seq: z.int().min(1).max(9e15),
  monitor,
  generation: count,
  /** The interval of the monitor when the check began. Older probes do not send this field. */
  intervalMs: z
    .int()
    .min(1000)
    .max(maxIntervalSeconds * 1000)
    .optional(),
  /** When the check was due, or when it began if that was much later. */
  begun: time,
  /** When the check ended. */
  at: time,
  verdict: z.enum(['up', 'down', 'internal']),
  /**
   * Whether the probe has a later result of the monitor with another verdict. If so, the server adds this result to the
   * history, but the result does not change the monitor's status.
   */
  over: z.boolean(),
  /**
   * Set if the probe deleted results directly before this result, because too many results waited. All deleted results
   * had the same verdict. `since` is when the last check before the deleted results ended. `longestGapMs` is the
   * longest time between two checks from `since` on. Older probes do not send this field.
   */
  thinned: z.object({ since: time, longestGapMs: z.number().min(0) }).optional(),
  error: checkError,
  responseTime: milliseconds,
  statusCode: z.int().min(0).max(999).nullable(),
  timings: z
    .object({
      dns: milliseconds,
      connect: milliseconds,
      tls: milliseconds,
      firstByte: milliseconds,
      download: milliseconds,
    })
    .nullable(),
  certificate: z
    .object({
      validFrom: certificateTime,
      validTo: certificateTime,
      issuer: line(2000),
      subject: line(2000),
      fingerprint: line(200),
      error: checkError,
    })
    .nullable(),
});
export type ProbeResult = z.output<typeof probeResult>;

export const resultsCall = z.object({
  ...version,
  probe: name,
  ...run,
  results: z.array(probeResult).max(maxResults),
});
export type ResultsCall = z.output<typeof resultsCall>;

export const resultsAnswer = z.object({
  ...version,
  /**
   * The highest number of this probe's results that the server has recorded. The probe may delete its results up to
   * this number.
   */
  applied: z.int().min(0),
  /** Number of results that were not stored, such as results of monitors that this region does not check. */
  ignored: z.int().min(0),
});
export type ResultsAnswer = z.output<typeof resultsAnswer>;
