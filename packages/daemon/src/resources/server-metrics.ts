import { systemClock } from '../deps.ts';
import { answeredInTime } from './answered-in-time.ts';
import type { AnswerOf, Backend } from './handler.ts';
import { warningsOf } from './health.ts';
import { readRegions } from './regions.ts';

/** A metric of this server, with a value for each set of labels. If the value has a unit, the name ends with it. */
export interface ServerMetric {
  name: string;
  help: string;
  /** `counter`: the value only rises while the process runs. `gauge`: it may also fall. */
  type: 'gauge' | 'counter';
  samples: { labels?: Record<string, string>; value: number }[];
}

type Region = AnswerOf<'listRegions'>[number];
type Probe = Region['probes'][number];

/** The store must return the regions within this time. */
const limitMs = 400;

/**
 * Resolves with the metrics of this process, and of all regions and probes. They contain no data of projects. Never
 * throws, and takes at most a second. If the store does not answer in time, `uptime_store_answered` is 0 and the
 * metrics of regions and probes are missing.
 */
export async function readServerMetrics(backend: Backend): Promise<ServerMetric[]> {
  const { health, version } = backend;
  const [regions, warnings] = await Promise.all([
    answeredInTime<Region[] | null>(systemClock, readRegions(backend), limitMs, () => null),
    warningsOf(backend),
  ]);
  return [
    gauge('uptime_info', 'The version of this server. The value is always 1.', [{ labels: { version }, value: 1 }]),
    gauge('uptime_healthy', '1 if /healthz returns 200, else 0.', one(flag(health.reason() === null))),
    gauge('uptime_warnings', 'The number of warnings that /healthz shows to an admin.', one(warnings.length)),
    gauge('uptime_check_lateness_seconds', 'How late the most overdue check is.', one(health.checkLatenessMs() / 1000)),
    gauge(
      'uptime_event_loop_delay_seconds',
      'How long the process keeps work waiting.',
      one(health.loopDelayMs() / 1000),
    ),
    gauge('uptime_store_answered', '1 if the database answered in time, else 0.', one(flag(regions !== null))),
    ...regionMetrics(regions ?? []),
    ...probeMetrics(regions ?? []),
    ...processMetrics(),
  ];
}

function regionMetrics(regions: readonly Region[]): ServerMetric[] {
  const ofEach = (value: (region: Region) => number) =>
    regions.map((region) => ({ labels: { region: region.name }, value: value(region) }));
  return [
    gauge(
      'uptime_region_silent',
      '1 if no daemon and no probe has reported from the region for 30 s, else 0.',
      ofEach(({ status }) => flag(status !== 'reporting')),
    ),
    gauge(
      'uptime_region_last_seen_timestamp_seconds',
      'When the region last reported.',
      regions.flatMap(({ name, lastSeenAt }) => timestamp({ region: name }, lastSeenAt)),
    ),
  ];
}

/** Returns the metrics of probes, except those that were stopped on purpose. */
function probeMetrics(regions: readonly Region[]): ServerMetric[] {
  const running = regions.flatMap(({ name, probes }) =>
    probes
      .filter(({ leftAt }) => leftAt === null)
      .map((probe) => ({ labels: { region: name, probe: probe.name }, probe })),
  );
  const ofEach = (value: (probe: Probe) => number) =>
    running.map(({ labels, probe }) => ({ labels, value: value(probe) }));
  return [
    gauge(
      'uptime_probe_silent',
      '1 if the probe has not reported for 30 s, else 0.',
      ofEach(({ live }) => flag(!live)),
    ),
    gauge(
      'uptime_probe_faulty',
      '1 if the probe cannot check, or if other probes check in its place, else 0.',
      ofEach(({ fault }) => flag(fault !== null)),
    ),
    gauge(
      'uptime_probe_unsent_results',
      'Results that the probe has not sent yet.',
      ofEach(({ queued }) => queued),
    ),
    gauge(
      'uptime_probe_lag_seconds',
      'The age of the oldest result that the probe has not sent yet.',
      ofEach(({ lagSeconds }) => lagSeconds),
    ),
    gauge(
      'uptime_probe_clock_skew_seconds',
      "How far the clock of the probe's machine is ahead of the server's.",
      running.flatMap(({ labels, probe: { clockSkewSeconds: value } }) => (value === null ? [] : [{ labels, value }])),
    ),
    gauge(
      'uptime_probe_last_seen_timestamp_seconds',
      'When the probe last reported.',
      running.flatMap(({ labels, probe }) => timestamp(labels, probe.lastSeenAt)),
    ),
  ];
}

/** Returns the metrics of the process, under the names that Prometheus recommends for every program. */
function processMetrics(): ServerMetric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      ...gauge('process_cpu_seconds_total', 'CPU time that the process used.', one((user + system) / 1e6)),
      type: 'counter',
    },
    gauge('process_resident_memory_bytes', 'Memory that the process holds.', one(process.memoryUsage.rss())),
    gauge('process_start_time_seconds', 'When the process started.', one(performance.timeOrigin / 1000)),
  ];
}

const gauge = (name: string, help: string, samples: ServerMetric['samples']): ServerMetric => ({
  name,
  help,
  type: 'gauge',
  samples,
});

const one = (value: number): ServerMetric['samples'] => [{ value }];
const flag = (isSet: boolean): number => (isSet ? 1 : 0);

/** Returns a list with one sample, the time in seconds since 1970. The list is empty if the time is null. */
const timestamp = (labels: Record<string, string>, time: string | null): ServerMetric['samples'] =>
  time === null ? [] : [{ labels, value: Date.parse(time) / 1000 }];
