import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { NewProbeToken, ProbeToken, ProbeTokenInput } from '../types.ts';

/** Tokens of probes: programs that check from other places. Every call needs an admin's session. */
export const probes = (api: Api) => ({
  /**
   * Lists the tokens, oldest first, each with the probes that joined with it.
   *
   * @example
   * const silent = (await uptime.probes.list()).flatMap(({ probes }) => probes).filter(({ live }) => !live);
   */
  list: (options?: RequestOptions): Promise<ProbeToken[]> => api.send({ path: '/probes' }, options),

  /**
   * Creates a token for a region. Only the response shows the token. Throws `ConflictError` for a region that a daemon
   * itself checks from.
   *
   * @example
   * const { token } = await uptime.probes.add({ region: 'eu-west' });
   */
  add: (body: ProbeTokenInput, options?: RequestOptions): Promise<NewProbeToken> =>
    api.send({ method: 'POST', path: '/probes', body }, options),

  /**
   * Revokes a token at once. Its probes can neither read monitors nor send results any more.
   *
   * @example
   * await uptime.probes.revoke('prb_1');
   */
  revoke: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/probes/${id}`, bodyless: true }, options),
});
