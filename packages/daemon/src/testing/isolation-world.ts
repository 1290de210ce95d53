import type { allEndpoints } from '@uptime/sdk/contract';
import type { Operation, ParamsOf } from '../resources/handler.ts';
import { alertRow } from './outbox.ts';
import type { TestDaemon, TestUser } from './test-daemon.ts';

/** A name of a path parameter in the contract. */
export type Param = { [O in Operation]: keyof ParamsOf<O> }[Operation];
/** An operation that takes a body. */
export type WithBody = { [O in Operation]: (typeof allEndpoints)[O] extends { body: unknown } ? O : never }[Operation];

/**
 * To whom a resource belongs: `mine` to the person `owner`, `theirs` to the person `stranger`. `unknown` stands for a
 * resource that does not exist.
 */
export type Whose = 'mine' | 'theirs' | 'unknown';

/** One of two unrelated projects. */
export interface Place {
  project: string;
  apiKey: string;
  person: TestUser;
  /** Resolves with the id of a resource of this kind in the project. The first call creates the resource. */
  id: (param: Param | 'slug') => Promise<string>;
}

/** Two projects of two people, and keys that no longer work. */
export interface World {
  mine: Place;
  theirs: Place;
  revokedKey: string;
  deletedKey: string;
}

/** For each kind of id, an id that looks right but does not exist. */
export const unknownIds: Record<Param | 'slug', string> = {
  projectId: 'prj_nobody',
  keyId: 'key_nobody',
  monitorId: 'mon_nobody',
  token: 'a'.repeat(32),
  signal: 'start',
  incidentId: 'inc_nobody',
  statusPageId: 'pag_nobody',
  channelId: 'chn_nobody',
  ruleId: 'rul_nobody',
  alertId: 'alr_nobody',
  deliveryId: 'dlv_nobody',
  planId: 'pln_nobody',
  probeId: 'prb_nobody',
  sessionId: 'nobody',
  slug: 'nobody',
};

/** Sends a request without a socket, because these tests make very many requests. */
export async function ask(
  daemon: Pick<TestDaemon, 'inject'>,
  method: string,
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: unknown },
) {
  const answer = await daemon.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body !== undefined && { payload: body as object }),
  });
  return { status: answer.statusCode, type: String(answer.headers['content-type']), text: answer.body };
}

/** Sends a request that must succeed, and returns its body. */
async function make<T>(
  daemon: TestDaemon,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const { status, text } = await ask(daemon, method, `/api${path}`, { headers, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Creates the two projects. `count` returns a new number at each call; names that must be unique contain it. */
export async function createWorld(
  daemon: TestDaemon,
  people: { owner: TestUser; stranger: TestUser; admin: TestUser },
  count: () => number,
): Promise<World> {
  const project = (person: TestUser) =>
    make<{ id: string; apiKey: string }>(daemon, 'POST', '/projects', { cookie: person.cookie }, { name: 'p' });
  const place = async (person: TestUser): Promise<Place> => {
    const { id, apiKey } = await project(person);
    return createPlace(daemon, { project: id, apiKey, person }, people.admin, count);
  };
  const before = await project(people.owner);
  const cookie = { cookie: people.owner.cookie };
  const renewed = await make<{ apiKey: string }>(daemon, 'POST', `/projects/${before.id}/api-key`, cookie);
  const gone = await project(people.owner);
  await make(daemon, 'DELETE', `/projects/${gone.id}`, cookie);
  const mine = createPlace(
    daemon,
    { project: before.id, apiKey: renewed.apiKey, person: people.owner },
    people.admin,
    count,
  );
  return { mine, theirs: await place(people.stranger), revokedKey: before.apiKey, deletedKey: gone.apiKey };
}

/** The fields of a failed delivery that are the same in both projects. */
const failedAlarm = {
  lane: '',
  kind: 'alarm' as const,
  notice: '{}',
  status: 'failed' as const,
  next_at: 9e12,
  created_at: 0,
  finished_at: 1,
};

function createPlace(daemon: TestDaemon, of: Omit<Place, 'id'>, admin: TestUser, count: () => number): Place {
  const made = new Map<string, Promise<string>>();
  const key = { 'x-api-key': of.apiKey };
  const create = async (path: string, body: object) =>
    (await make<{ id: string }>(daemon, 'POST', path, key, { name: 'n', ...body })).id;
  const id = (param: Param | 'slug'): Promise<string> => {
    const known = made.get(param) ?? makers[param]();
    made.set(param, known);
    return known;
  };
  const alert = async () =>
    storeAlert(daemon, { id: `alr_${count()}`, project: of.project, channelId: await id('channelId') });
  // If the contract gets another kind of id, the compiler demands a line for it here.
  const makers: Record<Param | 'slug', () => Promise<string>> = {
    projectId: async () => of.project,
    keyId: () => create(`/projects/${of.project}/keys`, { name: `key-${count()}`, scope: 'read' }),
    monitorId: () => create('/monitors', { type: 'http', url: 'http://localhost/' }),
    token: async () => {
      const job = await make<{ pingUrl: string }>(daemon, 'POST', '/monitors', key, { name: 'j', type: 'heartbeat' });
      return job.pingUrl.split('/').at(-1)!;
    },
    signal: async () => 'start',
    incidentId: () => create('/incidents', { title: 't', name: undefined }),
    statusPageId: () => create('/status-pages', { slug: `page-${count()}` }),
    slug: async () => {
      const slug = `page-${count()}`;
      await create('/status-pages', { slug });
      return slug;
    },
    channelId: () => create('/notification-channels', { type: 'email', config: { address: 'ops@example.com' } }),
    ruleId: () => create('/alert-rules', { monitorIds: [], channelIds: [] }),
    alertId: async () => (await alert()).id,
    deliveryId: async () => {
      const { seq, channel } = await alert();
      const id = `dlv_${count()}`;
      await daemon.store.db
        .insertInto('delivery')
        .values({ id, project: of.project, alert: seq, channel, ...failedAlarm })
        .execute();
      return id;
    },
    // A plan belongs to the server and not to a project.
    planId: async () => {
      const plan = { name: 'n', monitors: 1, checkInterval: 60, regions: 1, price: 0 };
      return (await make<{ id: string }>(daemon, 'POST', '/billing/plans', { cookie: admin.cookie }, plan)).id;
    },
    // A probe's token belongs to the server, too.
    probeId: async () =>
      (await make<{ id: string }>(daemon, 'POST', '/probes', { cookie: admin.cookie }, { region: 'eu' })).id,
    sessionId: async () => {
      const other = await signInAgain(daemon, of.person.email);
      const sessions = await make<{ id: string; current: boolean }[]>(daemon, 'GET', '/auth/sessions', {
        cookie: other,
      });
      return sessions.find(({ current }) => current)!.id;
    },
  };
  return { ...of, id };
}

async function storeAlert(
  daemon: TestDaemon,
  { id, project, channelId }: { id: string; project: string; channelId: string },
) {
  const { db } = daemon.store;
  const { seq: channel } = await db
    .selectFrom('channel')
    .select('seq')
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  const row = alertRow(id, { channel, at: 0, project_id: project });
  const { seq } = await db.insertInto('alert').values(row).returning('seq').executeTakeFirstOrThrow();
  return { id: row.id, seq, channel };
}

/** Signs a person in again, and returns the new session's cookie. */
export async function signInAgain(daemon: TestDaemon, email: string): Promise<string> {
  const answer = await daemon.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password: 'correct horse' },
  });
  return [answer.headers['set-cookie']]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ');
}
