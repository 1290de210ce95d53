import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type {
  CheckResult,
  DailyUptime,
  HeartbeatMetrics,
  ListQuery,
  Monitor,
  MonitorEvent,
  MonitorInput,
  MonitorPatch,
  RangeQuery,
  ResponseTime,
  Stats,
} from '../types.ts';

/** `http`, `dns`, `tcp`, `ping` or `heartbeat`. */
export type MonitorType = Monitor['type'];
/** `pending` (not checked yet), `up`, `down` or `paused`. */
export type MonitorStatus = Monitor['status'];

/** The monitor that an input makes: its own type is known. */
export type MonitorOf<I extends { type: MonitorType }> = Extract<Monitor, { type: I['type'] }>;

/** Monitors and their past. */
export const monitors = (api: Api) => ({
  /**
   * The monitors of the project, oldest first.
   *
   * @example
   * const [shop] = await uptime.monitors.list({ key: 'shop' });
   */
  list: (query: ListQuery = {}, options?: RequestOptions): Promise<Monitor[]> =>
    api.send({ path: '/monitors', query }, options),

  /**
   * The same, page after page.
   *
   * @example
   * for await (const monitor of uptime.monitors.iterate()) console.log(monitor.name, monitor.status);
   */
  iterate: (query: ListQuery = {}, options?: RequestOptions) =>
    api.pages<Monitor>({ path: '/monitors', query }, options),

  /**
   * Reads a monitor. Throws `NotFoundError`.
   *
   * @example
   * const { status } = await uptime.monitors.get('mon_1');
   */
  get: (id: string, options?: RequestOptions): Promise<Monitor> => api.send({ path: path`/monitors/${id}` }, options),

  /**
   * Creates a monitor; it is checked within two seconds. `interval` and `timeout` are in seconds.
   * Throws `BadRequestError`, `PlanLimitError`, or `ConflictError` for a key that is taken.
   *
   * @example
   * const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup', interval: 86_400 });
   */
  create: <I extends MonitorInput>(body: I, options?: RequestOptions): Promise<MonitorOf<I>> =>
    api.send({ method: 'POST', path: '/monitors', body, creates: true }, options),

  /**
   * Changes any subset of a monitor's fields; null brings a field's default back.
   *
   * @example
   * await uptime.monitors.update('mon_1', { paused: true });
   */
  update: (id: string, body: MonitorPatch, options?: RequestOptions): Promise<Monitor> =>
    api.send({ method: 'PATCH', path: path`/monitors/${id}`, body }, options),

  /**
   * Deletes a monitor and its past.
   *
   * @example
   * await uptime.monitors.delete('mon_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/monitors/${id}`, bodyless: true }, options),

  /**
   * Runs one check now and answers its result, with what the check did step by step. Takes as long as the
   * check with its retries: its default `timeout` is 750000 ms. Node's own `fetch` waits 300000 ms for an answer at
   * most. Throws `ConflictError` for a heartbeat.
   *
   * @example
   * const { status, error, trace } = await uptime.monitors.check('mon_1');
   */
  check: (id: string, options?: RequestOptions): Promise<CheckResult> =>
    api.send({ method: 'POST', path: path`/monitors/${id}/check`, timeout: 750_000 }, options),

  /**
   * Uptime in per cent over 24 h, 7 d and 30 d, and response times in milliseconds over 24 h.
   *
   * @example
   * const { uptime7d, avgResponseTime } = await uptime.monitors.stats('mon_1');
   */
  stats: (id: string, options?: RequestOptions): Promise<Stats> =>
    api.send({ path: path`/monitors/${id}/stats` }, options),

  /**
   * Uptime of each UTC day, in per cent; the last 90 days by default.
   *
   * @example
   * const days = await uptime.monitors.dailyUptime('mon_1', { from: '2026-01-01', to: '2026-01-31' });
   */
  dailyUptime: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<DailyUptime[]> =>
    api.send({ path: path`/monitors/${id}/daily-uptime`, query }, options),

  /**
   * Each check with its response time in milliseconds; the last 7 days by default.
   *
   * @example
   * const checks = await uptime.monitors.responseTimes('mon_1', { from: '2026-01-31' });
   */
  responseTimes: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<ResponseTime[]> =>
    api.send({ path: path`/monitors/${id}/response-times`, query }, options),

  /**
   * The same, page after page.
   *
   * @example
   * for await (const check of uptime.monitors.iterateResponseTimes('mon_1')) console.log(check.responseTime);
   */
  iterateResponseTimes: (id: string, query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<ResponseTime>({ path: path`/monitors/${id}/response-times`, query }, options),

  /**
   * Metrics that came with pings, and how long runs took in milliseconds; the last 7 days by default.
   *
   * @example
   * for (const { metrics } of await uptime.monitors.heartbeatMetrics('mon_1')) console.log(metrics['rows']);
   */
  heartbeatMetrics: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<HeartbeatMetrics[]> =>
    api.send({ path: path`/monitors/${id}/heartbeat-metrics`, query }, options),

  /**
   * The same, page after page.
   *
   * @example
   * for await (const { metrics } of uptime.monitors.iterateHeartbeatMetrics('mon_1')) console.log(metrics);
   */
  iterateHeartbeatMetrics: (id: string, query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<HeartbeatMetrics>({ path: path`/monitors/${id}/heartbeat-metrics`, query }, options),

  /**
   * Changes of status, oldest first; the last 30 days by default.
   *
   * @example
   * const [latest] = (await uptime.monitors.events('mon_1')).reverse();
   */
  events: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<MonitorEvent[]> =>
    api.send({ path: path`/monitors/${id}/events`, query }, options),

  /**
   * The same, page after page.
   *
   * @example
   * for await (const { timestamp, to } of uptime.monitors.iterateEvents('mon_1')) console.log(timestamp, to);
   */
  iterateEvents: (id: string, query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<MonitorEvent>({ path: path`/monitors/${id}/events`, query }, options),
});
