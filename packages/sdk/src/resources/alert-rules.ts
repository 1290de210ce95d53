import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { AlertRule, AlertRuleInput, AlertRulePatch, ListQuery } from '../types.ts';

/** Rules that say which monitors alert which channels. */
export const alertRules = (api: Api) => ({
  /**
   * Lists the alert rules of the project, oldest first.
   *
   * @example
   * const all = await uptime.alertRules.list();
   */
  list: (query: ListQuery = {}, options?: RequestOptions): Promise<AlertRule[]> =>
    api.send({ path: '/alert-rules', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const { id } of uptime.alertRules.iterate()) console.log(id);
   */
  iterate: (query: ListQuery = {}, options?: RequestOptions) =>
    api.pages<AlertRule>({ path: '/alert-rules', query }, options),

  /**
   * Creates an alert rule. `reminderInterval` is in seconds. A `monitor_down` rule also sends certificate and domain
   * alerts, unless `expiryAlerts` is false.
   *
   * @example
   * await uptime.alertRules.create({ name: 'Shop', monitorIds: ['mon_1'], channelIds: ['chn_1'] });
   */
  create: (body: AlertRuleInput, options?: RequestOptions): Promise<AlertRule> =>
    api.send({ method: 'POST', path: '/alert-rules', body, creates: true }, options),

  /**
   * Changes an alert rule. An open alert is not sent again.
   *
   * @example
   * await uptime.alertRules.update('rul_1', { consecutiveFailures: 3 });
   */
  update: (id: string, body: AlertRulePatch, options?: RequestOptions): Promise<AlertRule> =>
    api.send({ method: 'PATCH', path: path`/alert-rules/${id}`, body }, options),

  /**
   * Deletes an alert rule.
   *
   * @example
   * await uptime.alertRules.delete('rul_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/alert-rules/${id}`, bodyless: true }, options),
});
