import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { CreatedProjectKey, CurrentKey, PageQuery, ProjectKey, ProjectKeyInput } from '../types.ts';

/**
 * Keys for machines. Each key has a scope, and may expire. With an API key, the project id `current` means the project
 * of that key.
 */
export const projectKeys = (api: Api) => ({
  /**
   * Lists the keys of a project, oldest first. The project's own `apiKey` is not among them.
   *
   * @example
   * for (const key of await uptime.projects.keys.list('current')) console.log(key.name, key.scope, key.lastUsedAt);
   */
  list: (projectId: string, query: PageQuery = {}, options?: RequestOptions): Promise<ProjectKey[]> =>
    api.send({ path: path`/projects/${projectId}/keys`, query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const key of uptime.projects.keys.iterate('current')) console.log(key.name);
   */
  iterate: (projectId: string, query: PageQuery = {}, options?: RequestOptions) =>
    api.pages<ProjectKey>({ path: path`/projects/${projectId}/keys`, query }, options),

  /**
   * Reads the scope and expiry of this client's own key. Needs no project id, and works with every scope.
   *
   * @example
   * const { scope, expiresAt } = await uptime.projects.keys.current();
   */
  current: (options?: RequestOptions): Promise<CurrentKey> =>
    api.send({ path: '/projects/current/keys/current' }, options),

  /**
   * Creates a key. Only this call returns the key itself. The caller needs the project's `apiKey`, a key with the scope
   * `full`, or a session.
   *
   * @example
   * const { key } = await uptime.projects.keys.create('current', { name: 'ci', scope: 'apply' });
   */
  create: (projectId: string, body: ProjectKeyInput, options?: RequestOptions): Promise<CreatedProjectKey> =>
    api.send({ method: 'POST', path: path`/projects/${projectId}/keys`, body, creates: true }, options),

  /**
   * Revokes a key. The key stops working at once.
   *
   * @example
   * await uptime.projects.keys.delete('current', 'key_1');
   */
  delete: (projectId: string, keyId: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/projects/${projectId}/keys/${keyId}`, bodyless: true }, options),
});
