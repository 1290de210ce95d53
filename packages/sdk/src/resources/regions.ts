import type { RequestOptions } from '../options.ts';
import type { Api } from '../request.ts';
import type { Region } from '../types.ts';

/** Regions that checks run from. */
export const regions = (api: Api) => ({
  /**
   * Lists the regions that a daemon or a probe serves now or has served before, in the order of their first use.
   *
   * @example
   * const served = (await uptime.regions.list()).filter(({ served }) => served).map(({ name }) => name);
   */
  list: (options?: RequestOptions): Promise<Region[]> => api.send({ path: '/regions' }, options),
});
