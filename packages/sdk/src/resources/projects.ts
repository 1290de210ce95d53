import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { PageQuery, Project, ProjectInput, ProjectPatch } from '../types.ts';
import { projectKeys } from './project-keys.ts';

/** Projects and their API keys. */
export const projects = (api: Api) => ({
  /**
   * Lists the projects of the signed-in user, oldest first. Needs a session.
   *
   * @example
   * for (const project of await uptime.projects.list()) console.log(project.name);
   */
  list: (query: PageQuery = {}, options?: RequestOptions): Promise<Project[]> =>
    api.send({ path: '/projects', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const project of uptime.projects.iterate()) console.log(project.name);
   */
  iterate: (query: PageQuery = {}, options?: RequestOptions) =>
    api.pages<Project>({ path: '/projects', query }, options),

  /**
   * Reads a project. With an API key, the id `current` stands for the key's own project. Throws `NotFoundError` for an
   * unknown id.
   *
   * @example
   * const { id, name } = await uptime.projects.get('current');
   */
  get: (id: string, options?: RequestOptions): Promise<Project> => api.send({ path: path`/projects/${id}` }, options),

  /**
   * Creates a project with an API key. Needs a session.
   *
   * @example
   * const { id, apiKey } = await uptime.projects.create({ name: 'Shop' });
   */
  create: (body: ProjectInput, options?: RequestOptions): Promise<Project> =>
    api.send({ method: 'POST', path: '/projects', body, creates: true }, options),

  /**
   * Renames a project.
   *
   * @example
   * await uptime.projects.update('prj_1', { name: 'Shop and stock' });
   */
  update: (id: string, body: ProjectPatch, options?: RequestOptions): Promise<Project> =>
    api.send({ method: 'PATCH', path: path`/projects/${id}`, body }, options),

  /**
   * Deletes a project and everything in it.
   *
   * @example
   * await uptime.projects.delete('prj_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/projects/${id}`, bodyless: true }, options),

  /**
   * Creates a new API key. The old key stops working at once.
   *
   * @example
   * const { apiKey } = await uptime.projects.regenerateKey('prj_1');
   */
  regenerateKey: (id: string, options?: RequestOptions): Promise<Project> =>
    api.send({ method: 'POST', path: path`/projects/${id}/api-key` }, options),

  /** Keys for machines, in addition to the one key of the project. */
  keys: projectKeys(api),
});
