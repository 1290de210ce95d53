import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Incident, IncidentInput, IncidentPatch, PageQuery } from '../types.ts';

/** Incidents and maintenance windows. */
export const incidents = (api: Api) => ({
  /**
   * Lists the incidents and maintenance windows of the project, oldest first.
   *
   * @example
   * const all = await uptime.incidents.list();
   */
  list: (query: PageQuery = {}, options?: RequestOptions): Promise<Incident[]> =>
    api.send({ path: '/incidents', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const { id } of uptime.incidents.iterate()) console.log(id);
   */
  iterate: (query: PageQuery = {}, options?: RequestOptions) =>
    api.pages<Incident>({ path: '/incidents', query }, options),

  /**
   * Reads an incident. Throws `NotFoundError` for an unknown id.
   *
   * @example
   * const { updates } = await uptime.incidents.get('inc_1');
   */
  get: (id: string, options?: RequestOptions): Promise<Incident> => api.send({ path: path`/incidents/${id}` }, options),

  /**
   * Opens an incident. With `maintenance`, schedules a maintenance window, which needs a start and an end.
   *
   * @example
   * const incident = await uptime.incidents.create({ title: 'Checkout is slow', monitorIds: ['mon_1'] });
   */
  create: (body: IncidentInput, options?: RequestOptions): Promise<Incident> =>
    api.send({ method: 'POST', path: '/incidents', body, creates: true }, options),

  /**
   * Changes an incident. A status or a message adds an entry to its timeline. A call with a message is never retried:
   * if only the answer was lost, a retry would add the entry twice.
   *
   * @example
   * await uptime.incidents.update('inc_1', { status: 'resolved', message: 'The cable is back.' });
   */
  update: (id: string, body: IncidentPatch, options?: RequestOptions): Promise<Incident> =>
    api.send({ method: 'PATCH', path: path`/incidents/${id}`, body, repeatable: body.message === undefined }, options),

  /**
   * Deletes an incident.
   *
   * @example
   * await uptime.incidents.delete('inc_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/incidents/${id}`, bodyless: true }, options),
});
