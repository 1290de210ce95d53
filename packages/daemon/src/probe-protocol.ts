import { checkErrorCodes, monitorTypes } from '@uptime/sdk/contract';
import { z } from 'zod';

/*
 * The protocol between a probe and its server: JSON POSTs from the probe, below {site_url}/api/probe. With `sync`, the
 * probe reports its state and gets its monitors; the server answers when they change. With `results`, the probe hands
 * in results; a repeated call changes nothing. All times are epoch milliseconds on the server's clock, except `sentAt`.
 */

/**
 * The version of the protocol. A server serves this version and older ones, and refuses newer probes with a sentence. A
 * new optional field needs no new version, because both sides ignore fields that they do not know.
 */
export const probeProtocol = 1;

/** Longest time that a sync waits for a change. It is shorter than the silence after which a probe counts as gone. */
export const longestSyncMs = 5000;
/** Maximum number of monitors in one answer. The probe asks for the rest at once. */
export const mostAssigned = 200;
/** Maximum number of results in one request. */
export const mostResults = 200;
/** Maximum number of characters of the results of one request, so that the body stays below the server's limit. */
export const mostResultCharacters = 400_000;

const time = z.int().min(0).max(9e15);
const count = z.int().min(0).max(1e9);
const monitor = z.int().min(1).max(9e15);
const name = z.string().regex(/^[0-9a-f]{16,64}$/);

const version = { protocol: z.int().min(1).max(1e6) };
export const anyProbeCall = z.object(version);

export const syncCall = z.object({
  ...version,
  /** The name that the probe gave itself. */
  probe: name,
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  /** The probe's own clock when it sent this. */
  sentAt: time,
  /**
   * Identifies the monitors that the probe has: the `revision` of the latest answer; null if the probe has no monitors.
   */
  revision: z.string().max(100).nullable(),
  waitMs: z.int().min(0).max(60_000),
  queued: count,
  oldestAt: time.nullable(),
  /** By how much the probe's clock is ahead of the server's, as the probe measured. */
  skewMs: z.number().min(-9e15).max(9e15).nullable(),
  /** Why the probe cannot check now. */
  fault: z.string().max(300).nullable(),
  /** Whether the probe stops now. Then other probes of its region check its monitors at once. */
  leaving: z.boolean().default(false),
});
export type SyncCall = z.output<typeof syncCall>;
export type SentSyncCall = z.input<typeof syncCall>;

const assignment = z.object({
  monitor,
  /** Names this version of the monitor. A result repeats the generation that was checked. */
  generation: count,
  /** The monitor's project. Each project gets its share of the probe's slots. */
  project: z.string().max(100),
  /** When the next check is due. */
  dueAt: time,
  fields: z.looseObject({ type: z.enum(monitorTypes), interval: z.number().positive() }),
});
export type Assignment = z.output<typeof assignment>;

export const syncAnswer = z.object({
  ...version,
  /** When the server answered. */
  now: time,
  /** How long the server held the request, so that the probe can compute the round trip. */
  keptMs: z.number().min(0),
  region: z.object({ id: z.int().min(1), name: z.string() }),
  /** The highest number of this probe's results that the server has recorded. */
  applied: z.int().min(0),
  revision: z.string(),
  /**
   * Whether this answer begins a new list. The list ends with the first answer that has `more: false`. Then the probe
   * drops all monitors that are not in it.
   */
  reset: z.boolean(),
  /** Whether more monitors follow. The probe asks again at once. */
  more: z.boolean(),
  assignments: z.array(assignment),
  removed: z.array(monitor),
});
export type SyncAnswer = z.output<typeof syncAnswer>;

const milliseconds = z.number().min(0).max(1e9).nullable();

export const probeResult = z.object({
  /** The number of the result. Each probe counts its results up, possibly with gaps. */
  seq: z.int().min(1).max(9e15),
  monitor,
  generation: count,
  /** When the check was due, or when it began if that was much later. */
  begun: time,
  /** When the check ended. */
  at: time,
  verdict: z.enum(['up', 'down', 'internal']),
  /** Whether the probe has a later result with another verdict. Then this one enters only the history. */
  over: z.boolean(),
  error: z.object({ code: z.enum(checkErrorCodes), message: z.string().max(300) }).nullable(),
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
      validFrom: z.number(),
      validTo: z.number(),
      issuer: z.string().max(2000),
      subject: z.string().max(2000),
      fingerprint: z.string().max(200),
      error: z.object({ code: z.enum(checkErrorCodes), message: z.string().max(300) }).nullable(),
    })
    .nullable(),
});
export type ProbeResult = z.output<typeof probeResult>;

export const resultsCall = z.object({
  ...version,
  probe: name,
  results: z.array(probeResult).max(mostResults),
});
export type ResultsCall = z.output<typeof resultsCall>;

export const resultsAnswer = z.object({
  ...version,
  /**
   * The highest number of this probe's results that the server has recorded. The probe need not keep results up to this
   * number.
   */
  applied: z.int().min(0),
  /** Number of results that were not stored, such as results of monitors that this region does not check. */
  ignored: z.int().min(0),
});
export type ResultsAnswer = z.output<typeof resultsAnswer>;
