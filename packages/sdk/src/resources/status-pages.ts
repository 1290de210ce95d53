import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { ListQuery, StatusPage, StatusPageInput, StatusPagePatch } from '../types.ts';

/** Public status pages. */
export const statusPages = (api: Api) => ({
  /**
   * Lists the status pages of the project, oldest first.
   *
   * @example
   * const all = await uptime.statusPages.list();
   */
  list: (query: ListQuery = {}, options?: RequestOptions): Promise<StatusPage[]> =>
    api.send({ path: '/status-pages', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const { id } of uptime.statusPages.iterate()) console.log(id);
   */
  iterate: (query: ListQuery = {}, options?: RequestOptions) =>
    api.pages<StatusPage>({ path: '/status-pages', query }, options),

  /**
   * Reads a status page. Throws `NotFoundError` for an unknown id.
   *
   * @example
   * const { url } = await uptime.statusPages.get('pag_1');
   */
  get: (id: string, options?: RequestOptions): Promise<StatusPage> =>
    api.send({ path: path`/status-pages/${id}` }, options),

  /**
   * Creates a status page. Throws `ConflictError` if the slug or the domain is taken.
   *
   * @example
   * const { url } = await uptime.statusPages.create({ name: 'Shop', slug: 'shop', monitorIds: ['mon_1'] });
   */
  create: (body: StatusPageInput, options?: RequestOptions): Promise<StatusPage> =>
    api.send({ method: 'POST', path: '/status-pages', body, creates: true }, options),

  /**
   * Changes a status page. Null removes the custom domain.
   *
   * @example
   * await uptime.statusPages.update('pag_1', { monitorIds: ['mon_2', 'mon_1'] });
   */
  update: (id: string, body: StatusPagePatch, options?: RequestOptions): Promise<StatusPage> =>
    api.send({ method: 'PATCH', path: path`/status-pages/${id}`, body }, options),

  /**
   * Deletes a status page.
   *
   * @example
   * await uptime.statusPages.delete('pag_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/status-pages/${id}`, bodyless: true }, options),

  /**
   * Returns the public page as HTML. Needs no credential. Throws `NotFoundError` for an unknown slug.
   *
   * @example
   * const html = await uptime.statusPages.html('shop');
   */
  html: (slug: string, options?: RequestOptions): Promise<string> =>
    api.send({ path: path`/status/${slug}`, site: true, anonymous: true, text: true }, options),

  /**
   * Checks now whether the custom domain points to the server. Throws `ConflictError` if the page has no custom domain.
   *
   * @example
   * const { domain } = await uptime.statusPages.verifyDomain('pag_1');
   */
  verifyDomain: (id: string, options?: RequestOptions): Promise<StatusPage> =>
    api.send({ method: 'POST', path: path`/status-pages/${id}/verify-domain` }, options),
});
