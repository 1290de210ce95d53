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
  ResponseTimesQuery,
  ResponseTime,
  Stats,
} from '../types.ts';

/** The field `type` of a monitor, such as `http`. */
export type MonitorType = Monitor['type'];
/** `pending` (not checked yet), `up`, `down` or `paused`. */
export type MonitorStatus = Monitor['status'];

/** The TypeScript type of the monitor that an input creates. */
export type MonitorOf<I extends { type: MonitorType }> = Extract<Monitor, { type: I['type'] }>;

/** Monitors and their history. */
export const monitors = (api: Api) => ({
  /**
   * Lists the monitors of the project, oldest first.
   *
   * @example
   * const [shop] = await uptime.monitors.list({ key: 'shop' });
   */
  list: (query: ListQuery = {}, options?: RequestOptions): Promise<Monitor[]> =>
    api.send({ path: '/monitors', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const monitor of uptime.monitors.iterate()) console.log(monitor.name, monitor.status);
   */
  iterate: (query: ListQuery = {}, options?: RequestOptions) =>
    api.pages<Monitor>({ path: '/monitors', query }, options),

  /**
   * Reads a monitor. Throws `NotFoundError` for an unknown id.
   *
   * @example
   * const { status } = await uptime.monitors.get('mon_1');
   */
  get: (id: string, options?: RequestOptions): Promise<Monitor> => api.send({ path: path`/monitors/${id}` }, options),

  /**
   * Creates a monitor. The server checks it within two seconds. `interval` and `timeout` are in seconds.
   * Throws `BadRequestError`, `PlanLimitError`, or `ConflictError` for a key that is taken.
   *
   * @example
   * const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup', interval: 86_400 });
   */
  create: <I extends MonitorInput>(body: I, options?: RequestOptions): Promise<MonitorOf<I>> =>
    api.send({ method: 'POST', path: '/monitors', body, creates: true }, options),

  /**
   * Changes any fields of a monitor. Null restores a field's default.
   *
   * @example
   * await uptime.monitors.update('mon_1', { paused: true });
   */
  update: (id: string, body: MonitorPatch, options?: RequestOptions): Promise<Monitor> =>
    api.send({ method: 'PATCH', path: path`/monitors/${id}`, body }, options),

  /**
   * Deletes a monitor and its history.
   *
   * @example
   * await uptime.monitors.delete('mon_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/monitors/${id}`, bodyless: true }, options),

  /**
   * Runs one check now and returns its result with the steps of the check. The call lasts as long as the check and its
   * retries, so its default `timeout` is 750000 ms. Node's own `fetch` gives up after 300000 ms. If a call in Node may
   * last longer, set the client's option `fetch` to another function. Throws `ConflictError` for a heartbeat.
   *
   * @example
   * const { status, error, trace } = await uptime.monitors.check('mon_1');
   */
  check: (id: string, options?: RequestOptions): Promise<CheckResult> =>
    api.send({ method: 'POST', path: path`/monitors/${id}/check`, timeout: 750_000 }, options),

  /**
   * Returns uptime in percent over 24 h, 7 d and 30 d, and response times in milliseconds over 24 h.
   *
   * @example
   * const { uptime7d, avgResponseTime } = await uptime.monitors.stats('mon_1');
   */
  stats: (id: string, options?: RequestOptions): Promise<Stats> =>
    api.send({ path: path`/monitors/${id}/stats` }, options),

  /**
   * Lists the uptime of each UTC day in percent, by default of the last 90 days.
   *
   * @example
   * const days = await uptime.monitors.dailyUptime('mon_1', { from: '2026-01-01', to: '2026-01-31' });
   */
  dailyUptime: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<DailyUptime[]> =>
    api.send({ path: path`/monitors/${id}/daily-uptime`, query }, options),

  /**
   * Lists checks with their response times in milliseconds, by default of the last 7 days.
   *
   * @example
   * const checks = await uptime.monitors.responseTimes('mon_1', { from: '2026-01-31' });
   */
  responseTimes: (id: string, query: ResponseTimesQuery = {}, options?: RequestOptions): Promise<ResponseTime[]> =>
    api.send({ path: path`/monitors/${id}/response-times`, query }, options),

  /**
   * Yields the entries of `responseTimes` one by one. Requests them page by page.
   *
   * @example
   * for await (const check of uptime.monitors.iterateResponseTimes('mon_1')) console.log(check.responseTime);
   */
  iterateResponseTimes: (id: string, query: ResponseTimesQuery = {}, options?: RequestOptions) =>
    api.pages<ResponseTime>({ path: path`/monitors/${id}/response-times`, query }, options),

  /**
   * Lists the metrics of pings, and the duration of runs in milliseconds, by default of the last 7 days.
   *
   * @example
   * for (const { metrics } of await uptime.monitors.heartbeatMetrics('mon_1')) console.log(metrics['rows']);
   */
  heartbeatMetrics: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<HeartbeatMetrics[]> =>
    api.send({ path: path`/monitors/${id}/heartbeat-metrics`, query }, options),

  /**
   * Yields the entries of `heartbeatMetrics` one by one. Requests them page by page.
   *
   * @example
   * for await (const { metrics } of uptime.monitors.iterateHeartbeatMetrics('mon_1')) console.log(metrics);
   */
  iterateHeartbeatMetrics: (id: string, query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<HeartbeatMetrics>({ path: path`/monitors/${id}/heartbeat-metrics`, query }, options),

  /**
   * Lists changes of status, oldest first, by default of the last 30 days.
   *
   * @example
   * const [latest] = (await uptime.monitors.events('mon_1')).reverse();
   */
  events: (id: string, query: RangeQuery = {}, options?: RequestOptions): Promise<MonitorEvent[]> =>
    api.send({ path: path`/monitors/${id}/events`, query }, options),

  /**
   * Yields the entries of `events` one by one. Requests them page by page.
   *
   * @example
   * for await (const { timestamp, to } of uptime.monitors.iterateEvents('mon_1')) console.log(timestamp, to);
   */
  iterateEvents: (id: string, query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<MonitorEvent>({ path: path`/monitors/${id}/events`, query }, options),
});
