import type { RequestOptions } from '../options.ts';
import type { Api } from '../request.ts';
import type { Region } from '../types.ts';

/** Where checks run from. */
export const regions = (api: Api) => ({
  /**
   * The regions that a daemon serves, or has served before; the first one served comes first. A name that is not among
   * them is a region that nobody serves.
   *
   * @example
   * const served = (await uptime.regions.list()).filter(({ served }) => served).map(({ name }) => name);
   */
  list: (options?: RequestOptions): Promise<Region[]> => api.send({ path: '/regions' }, options),
});
