import type { RequestOptions } from '../options.ts';
import type { Api } from '../request.ts';
import type { Alert, RangeQuery } from '../types.ts';

/** Past and open alerts. */
export const alertHistory = (api: Api) => ({
  /**
   * Alerts in order of time, the last 30 days by default; `resolvedAt` is null while one is open.
   *
   * @example
   * const open = (await uptime.alertHistory.list()).filter((alert) => alert.resolvedAt === null);
   */
  list: (query: RangeQuery = {}, options?: RequestOptions): Promise<Alert[]> =>
    api.send({ path: '/alert-history', query }, options),
});
