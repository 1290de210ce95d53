import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Alert, Delivery, DeliveryQuery, RangeQuery } from '../types.ts';

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

  /**
   * The same, page after page.
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
   * Messages about alerts, oldest first, with every attempt to send them.
   *
   * @example
   * const failed = await uptime.alertHistory.deliveries({ status: 'failed' });
   */
  deliveries: (query: DeliveryQuery = {}, options?: RequestOptions): Promise<Delivery[]> =>
    api.send({ path: '/deliveries', query }, options),

  /**
   * The same, page after page.
   *
   * @example
   * for await (const { status } of uptime.alertHistory.iterateDeliveries()) console.log(status);
   */
  iterateDeliveries: (query: DeliveryQuery = {}, options?: RequestOptions) =>
    api.pages<Delivery>({ path: '/deliveries', query }, options),

  /**
   * Sends a finished delivery once more, under the same id. Throws `ConflictError` while it is still under way.
   *
   * @example
   * await uptime.alertHistory.redeliver('dlv_1');
   */
  redeliver: (id: string, options?: RequestOptions): Promise<Delivery> =>
    api.send({ method: 'POST', path: path`/deliveries/${id}/redeliver` }, options),
});
