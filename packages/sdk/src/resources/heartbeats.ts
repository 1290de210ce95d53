import { UptimeError } from '../errors.ts';
import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api, Call } from '../request.ts';
import type { Metrics } from '../types.ts';

/** The optional content of a ping. */
export interface Ping {
  /** A flat object of names to numbers or strings, at most 1 KB as JSON. */
  metrics?: Metrics;
  /** `start` marks the start of a run, `fail` a failure. A number is the exit code of the run, 0 for success. */
  signal?: 'start' | 'fail' | number;
}

/** Pings of heartbeat monitors. The token in the address is the credential. */
export const heartbeats = (api: Api) => ({
  /**
   * Records a ping, and resolves after the ping is durably recorded. Takes a monitor's whole `pingUrl`, or only the
   * token. Throws `NotFoundError` for an unknown token, and `BadRequestError` for metrics that are not flat.
   *
   * @example
   * const { pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
   * await uptime.heartbeats.ping(pingUrl, { signal: 'start' });
   * await uptime.heartbeats.ping(pingUrl, { signal: 0, metrics: { rows: 1200 } });
   */
  ping: (tokenOrUrl: string, ping: Ping = {}, options?: RequestOptions): Promise<void> => {
    const { metrics, signal } = ping;
    const call: Call = { path: '', site: true, shown: '/ping/…', anonymous: true, repeatable: true, bodyless: true };
    if (/^https?:/i.test(tokenOrUrl)) call.url = addressed(tokenOrUrl, signal);
    else call.path = signal === undefined ? path`/ping/${tokenOrUrl}` : path`/ping/${tokenOrUrl}/${signal}`;
    return api.send(metrics ? { ...call, method: 'POST', body: metrics } : call, options);
  },
});

function addressed(pingUrl: string, signal: Ping['signal']): string {
  const url = URL.parse(pingUrl);
  // The address is a credential, so this message does not contain it.
  if (!url) throw new UptimeError('The ping address is not a URL.');
  if (signal !== undefined) url.pathname = url.pathname.replace(/\/*$/, path`/${signal}`);
  return url.href;
}
