import { type Endpoint, faultAt, includesScope, scopeOf } from '@uptime/sdk/contract';
import type { FastifyRequest } from 'fastify';
import { accountDisabled, invalid, notFound, ServiceError } from '../errors.ts';
import { isDisabled } from '../accounts/disabled-accounts.ts';
import type { User } from '../resources/accounts.ts';
import type { Backend } from '../resources/handler.ts';
import { type OpenedProject, openByKey } from '../resources/project-keys/opened-project.ts';
import { readApiKey } from '../resources/secrets.ts';

/** An identified caller that may use the endpoint. */
export interface Caller {
  project: OpenedProject | null;
  user: User | null;
  /** The values for `Set-Cookie`, if this request extended the session. */
  cookies: string[];
}

const anonymous: Caller = { project: null, user: null, cookies: [] };

/**
 * Returns the caller of a request. If the request has both a key and a cookie, the cookie is ignored. Throws
 * `unauthenticated` or `forbidden` if the caller may not use the endpoint. Throws `not_found` for an unknown project,
 * and for the project of another person.
 */
export async function authenticate(endpoint: Endpoint, request: FastifyRequest, backend: Backend): Promise<Caller> {
  const { access } = endpoint;
  if (access === 'public' || access === 'ping') {
    if (backend.accounts.hasCookie(request.headers)) requireOwnOrigin(request, backend.siteUrl());
    return anonymous;
  }
  const key = readApiKey(request.headers);
  return key === null ? bySession(endpoint, request, backend) : byKey(endpoint, key, request, backend);
}

async function byKey(endpoint: Endpoint, key: string, request: FastifyRequest, backend: Backend): Promise<Caller> {
  const { store, deps, noteKeyUse } = backend;
  const project = await openByKey(store.db, key, deps.clock.now());
  await refuseDisabled(store, project.user_id);
  if (project.key) noteKeyUse(project.key);
  if (endpoint.access === 'session' || endpoint.access === 'admin') {
    throw new ServiceError(
      'forbidden',
      'This needs a session, because an API key opens only one project. Sign in first.',
    );
  }
  refuseScope(endpoint, project);
  if (endpoint.access === 'owner' && !['current', project.id].includes(namedProject(request)))
    throw notFound('project');
  return { ...anonymous, project };
}

function refuseScope(endpoint: Endpoint, { key }: OpenedProject): void {
  const needed = scopeOf(endpoint);
  if (!key || needed === null || includesScope(key.scope, needed)) return;
  const detail =
    `This needs an API key with the scope "${needed}"; the key "${key.name}" has the scope "${key.scope}". ` +
    `Someone with the project's own key can create one: \`uptime keys create --name <name> --scope ${needed}\`.`;
  throw new ServiceError('forbidden', detail);
}

async function bySession({ access }: Endpoint, request: FastifyRequest, backend: Backend): Promise<Caller> {
  const session = await backend.accounts.session(request.headers);
  if (!session) {
    throw new ServiceError('unauthenticated', 'Send an API key in the x-api-key header, or sign in.');
  }
  requireOwnOrigin(request, backend.siteUrl());
  const { user, cookies } = session;
  await refuseDisabled(backend.store, user.id);
  if (access === 'admin' && user.role !== 'admin') throw new ServiceError('forbidden', 'Only an admin may do this.');
  if (access === 'session' || access === 'admin') return { user, project: null, cookies };

  const id = access === 'owner' ? namedProject(request) : request.headers['x-project-id'];
  if (typeof id !== 'string') {
    throw invalid([faultAt('x-project-id', 'project_required')]);
  }
  const project = /^prj_\w+$/.test(id)
    ? await backend.store.db
        .selectFrom('project')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', user.id)
        .executeTakeFirst()
    : undefined;
  if (!project) throw notFound('project');
  return { user, project: { ...project, key: null }, cookies };
}

async function refuseDisabled(store: Backend['store'], user: string): Promise<void> {
  if (await isDisabled(store.db, user)) throw accountDisabled();
}

/**
 * Refuses state-changing calls that another site makes through a browser, because the browser sends the session cookie
 * with them. Browsers name the calling site in Origin or Sec-Fetch-Site; very old browsers name it only in Referer. A
 * client that sends none of these three headers is not a browser. Someone gave such a client the cookie on purpose, so
 * its calls are allowed.
 */
function requireOwnOrigin(request: FastifyRequest, siteUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, 'sec-fetch-site': site, referer } = request.headers;
  const own = new URL(siteUrl).origin;
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== own) ||
    (site === undefined && origin === undefined && referer !== undefined && URL.parse(referer)?.origin !== own);
  if (foreign) throw new ServiceError('forbidden', 'A call with a session cookie must come from the site itself.');
}

const namedProject = (request: FastifyRequest): string => (request.params as { projectId: string }).projectId;
