import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Alert, Delivery, DeliveryQuery, RangeQuery } from '../types.ts';

/** Past and open alerts. */
export const alertHistory = (api: Api) => ({
  /**
   * Lists alerts in order of time, by default of the last 30 days. `resolvedAt` is null while an alert is open.
   *
   * @example
   * const open = (await uptime.alertHistory.list()).filter((alert) => alert.resolvedAt === null);
   */
  list: (query: RangeQuery = {}, options?: RequestOptions): Promise<Alert[]> =>
    api.send({ path: '/alert-history', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const { monitorName, triggeredAt } of uptime.alertHistory.iterate()) console.log(monitorName, triggeredAt);
   */
  iterate: (query: RangeQuery = {}, options?: RequestOptions) =>
    api.pages<Alert>({ path: '/alert-history', query }, options),

  /**
   * Reads an alert.
   *
   * @example
   * const { deliveryStatus, error } = await uptime.alertHistory.get('alr_1');
   */
  get: (id: string, options?: RequestOptions): Promise<Alert> =>
    api.send({ path: path`/alert-history/${id}` }, options),

  /**
   * Lists deliveries with their attempts, oldest first.
   *
   * @example
   * const failed = await uptime.alertHistory.deliveries({ status: 'failed' });
   */
  deliveries: (query: DeliveryQuery = {}, options?: RequestOptions): Promise<Delivery[]> =>
    api.send({ path: '/deliveries', query }, options),

  /**
   * Yields the entries of `deliveries` one by one. Requests them page by page.
   *
   * @example
   * for await (const { status } of uptime.alertHistory.iterateDeliveries()) console.log(status);
   */
  iterateDeliveries: (query: DeliveryQuery = {}, options?: RequestOptions) =>
    api.pages<Delivery>({ path: '/deliveries', query }, options),

  /**
   * Sends a finished delivery again, with the same id. Throws `ConflictError` if the delivery is not finished.
   *
   * @example
   * await uptime.alertHistory.redeliver('dlv_1');
   */
  redeliver: (id: string, options?: RequestOptions): Promise<Delivery> =>
    api.send({ method: 'POST', path: path`/deliveries/${id}/redeliver` }, options),
});
