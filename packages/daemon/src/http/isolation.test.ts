import type { Endpoint } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../resources/handler.ts';
import { bodySchemas } from '../testing/body-schema.ts';
import {
  ask,
  createWorld,
  type Param,
  type Place,
  signInAgain,
  unknownIds,
  type Whose,
  type WithBody,
  type World,
} from '../testing/isolation-world.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';
import { type Caller, expected, operations, siteRoutes, paymentRoutes } from '../testing/isolation-expected.ts';

let daemon: TestDaemon;

let people: { owner: TestUser; stranger: TestUser; admin: TestUser };

let count = 0;

const next = () => ++count;

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  const [owner, stranger] = [await daemon.another('owner'), await daemon.another('stranger')];
  people = { owner, stranger, admin: daemon };
});

afterAll(() => daemon.close());

const session = (person: keyof typeof people, names: 'mine' | 'theirs' | null): Caller => ({
  kind: 'session',
  person,
  headers: (world) => ({
    cookie: people[person].cookie,
    ...(names && { 'x-project-id': world[names].project }),
  }),
  opens:
    names === null ? 'none' : (names === 'mine') === (person === 'owner') && person !== 'admin' ? names : 'unknown',
});

const callers: Record<string, Caller> = {
  'no credential': { kind: 'nobody', headers: () => ({}), opens: 'none' },
  'a revoked key': { kind: 'nobody', headers: (world) => ({ 'x-api-key': world.revokedKey }), opens: 'none' },
  "a deleted project's key": { kind: 'nobody', headers: (world) => ({ 'x-api-key': world.deletedKey }), opens: 'none' },
  'the key': { kind: 'key', headers: (world) => ({ 'x-api-key': world.mine.apiKey }), opens: 'mine' },
  'the key as bearer': {
    kind: 'key',
    headers: (world) => ({ authorization: `Bearer ${world.mine.apiKey}` }),
    opens: 'mine',
  },
  'the key of another': { kind: 'key', headers: (world) => ({ 'x-api-key': world.theirs.apiKey }), opens: 'theirs' },
  'the session of the owner': session('owner', 'mine'),
  'the session of the owner, naming no project': session('owner', null),
  "the session of the owner, naming another's project": session('owner', 'theirs'),
  'the session of another': session('stranger', 'mine'),
  'the session of another, naming their own': session('stranger', 'theirs'),
  'the session of an admin': session('admin', 'mine'),
};

/**
 * For each operation, a function that makes a valid body. If a new operation lacks a body here, this file does not
 * compile.
 */
const bodies: Record<WithBody, (place: Place, ids: { monitorIds?: string[]; channelIds?: string[] }) => object> = {
  addProbe: () => ({ region: 'eu' }),
  signUp: () => ({ name: 'x', email: `new-${next()}@example.com`, password: 'correct horse' }),
  signIn: () => ({ email: people.owner.email, password: 'correct horse' }),
  changePassword: () => ({ currentPassword: 'correct horse', newPassword: 'correct horse' }),
  createProject: () => ({ name: 'x' }),
  createProjectKey: () => ({ name: `key ${next()}`, scope: 'read' }),
  updateProject: () => ({ name: 'y' }),
  createMonitor: () => ({ type: 'heartbeat', name: 'x' }),
  updateMonitor: () => ({ name: 'y' }),
  createIncident: (_, ids) => ({ title: 'x', ...ids }),
  updateIncident: (_, ids) => ({ title: 'y', ...ids }),
  createStatusPage: (_, ids) => ({ name: 'x', slug: `made-${next()}`, ...ids }),
  updateStatusPage: (_, ids) => ({ name: 'y', ...ids }),
  createChannel: () => ({ type: 'email', name: 'x', config: { address: 'ops@example.com' } }),
  updateChannel: () => ({ name: 'y' }),
  confirmChannel: () => ({}),
  createAlertRule: (_, ids) => ({ name: 'x', monitorIds: [], channelIds: [], ...ids }),
  updateAlertRule: (_, ids) => ({ name: 'y', ...ids }),
  createCheckout: () => ({ planId: 'self-hosted' }),
  createPlan: () => ({ name: 'x', monitors: 1, checkInterval: 60, regions: 1, price: 0 }),
  updatePlan: () => ({ name: 'y' }),
  billingWebhook: () => ({}),
};

const everyone = Object.entries(callers);

const whose = ['mine', 'theirs', 'unknown'] as const;

let cells = 0;

/**
 * Returns an answer without its ids, and without the time at which a page was made. The result must be equal for a
 * resource of another project and for an unknown resource.
 */
const withoutIds = ({ status, type, text }: Awaited<ReturnType<typeof ask>>, ids: readonly string[] = []) => {
  const timeless = text.replace(/"requestId":"\w+"/, '').replace(/<span class="made">.*?<\/span>/, '');
  const bare = ids.reduce((left, id) => left.replaceAll(id, 'ID'), timeless);
  return `${status} ${type} ${bare}`;
};

/** Returns the address of an operation, with ids of one project or with unknown ids. */
async function addressOf(endpoint: Endpoint, world: World, target: Whose): Promise<string> {
  let path: string = endpoint.path;
  for (const [, name] of endpoint.path.matchAll(/:(\w+)/g)) {
    const param = name as Param;
    path = path.replace(`:${param}`, target === 'unknown' ? unknownIds[param] : await world[target].id(param));
  }
  return endpoint.site ? path : `/api${path}`;
}

/**
 * Returns a sender for the calls of these tests: each operation, by each caller, for each target. After a call that
 * changed something, the next call gets new test data (a world).
 */
function createCells() {
  let world: World | undefined;
  return {
    world: async () => (world ??= await createWorld(daemon, people, next)),
    async send(endpoint: Endpoint, caller: Caller, url: string, body: unknown) {
      const answer = await ask(daemon, endpoint.method, url, { headers: caller.headers(world!), body });
      cells++;
      if (endpoint.method === 'GET' || answer.status >= 300) return answer;
      world = undefined;
      // The call may have ended the session of a person of this test, so that person signs in again.
      if (caller.person && /^\/auth\/(?!sign-in|sign-up)/.test(endpoint.path)) {
        const person = people[caller.person];
        people = { ...people, [caller.person]: { ...person, cookie: await signInAgain(daemon, person.email) } };
      }
      return answer;
    },
  };
}

test.each(operations)(
  '%s returns the expected status to every caller, for own, foreign and unknown ids',
  async (operation, endpoint) => {
    const wrong: string[] = [];
    const matrix = createCells();
    for (const [name, caller] of everyone) {
      const refusals = new Set<string>();
      for (const target of endpoint.path.includes(':') ? whose : ([null] as const)) {
        const world = await matrix.world();
        const url = await addressOf(endpoint, world, target ?? 'unknown');
        const body = operation in bodies ? bodies[operation as WithBody](world.mine, {}) : undefined;
        const answer = await matrix.send(endpoint, caller, url, body);
        const right = expected(operation, endpoint, caller, target);
        if (answer.status !== right)
          wrong.push(`${name}, ${target}: ${answer.status} and not ${right}; ${answer.text}`);
        if (right === 404 && target) refusals.add(withoutIds(answer));
        if (endpoint.method === 'GET') {
          const head = await ask(daemon, 'HEAD', url, { headers: caller.headers(world) });
          if (head.status !== answer.status || head.text !== '') wrong.push(`HEAD, ${name}, ${target}: ${head.status}`);
        }
      }
      if (refusals.size > 1) wrong.push(`${name}: foreign and unknown ids differ: ${[...refusals].join(' | ')}`);
    }
    expect(wrong).toEqual([]);
  },
);

/** Returns the fields of an operation's body that are lists of ids. */
const idLists = (operation: Operation) =>
  (['monitorIds', 'channelIds'] as const).filter((list) =>
    bodySchemas(operation).some((schema) => schema.properties?.[list]),
  );

const naming = operations.flatMap(([operation, endpoint]) =>
  idLists(operation).map((list) => [operation, list, endpoint] as const),
);

test('this file finds the operations whose bodies contain ids of monitors or channels', () => {
  expect(naming.length).toBeGreaterThanOrEqual(8);
});

test.each(naming)(
  '%s returns the expected status to every caller, for own, foreign and unknown ids in %s',
  async (operation, list, endpoint) => {
    const wrong: string[] = [];
    const matrix = createCells();
    const param = list === 'monitorIds' ? 'monitorId' : 'channelId';
    for (const [name, caller] of everyone) {
      const refusals = new Set<string>();
      for (const inside of whose) {
        const world = await matrix.world();
        const own = caller.opens === 'theirs' ? 'theirs' : 'mine';
        const url = await addressOf(endpoint, world, own);
        const id = inside === 'unknown' ? unknownIds[param] : await world[inside].id(param);
        const body = bodies[operation as WithBody](world[own], { [list]: [id] });
        const answer = await matrix.send(endpoint, caller, url, body);
        const may = expected(operation, endpoint, caller, endpoint.path.includes(':') ? own : null);
        const right = may === endpoint.status && inside !== caller.opens ? 400 : may;
        if (answer.status !== right)
          wrong.push(`${name}, ${inside}: ${answer.status} and not ${right}; ${answer.text}`);
        if (right === 400 && may !== 400) refusals.add(withoutIds(answer, [id]));
      }
      if (refusals.size > 1) wrong.push(`${name}: foreign and unknown ids differ: ${[...refusals].join(' | ')}`);
    }
    expect(wrong).toEqual([]);
  },
);

test.each(Object.entries(siteRoutes))(
  '%s returns the same answer to every caller',
  async (route, { found, unknown = 404 }) => {
    const world = await createWorld(daemon, people, next);
    const wrong: string[] = [];
    for (const target of whose) {
      const slug = target === 'unknown' ? unknownIds.slug : await world[target].id('slug');
      const url = route.replace(':slug', slug).replace(':token', unknownIds.token);
      const right = target === 'unknown' && route.includes(':') ? unknown : found;
      const answers = new Set<string>();
      for (const [name, caller] of everyone) {
        const answer = await ask(daemon, 'GET', url, { headers: caller.headers(world) });
        cells++;
        answers.add(withoutIds(answer));
        if (answer.status !== right) wrong.push(`${name}, ${target}: ${answer.status} and not ${right}`);
      }
      if (answers.size > 1) wrong.push(`${target}: ${answers.size} answers`);
    }
    expect(wrong).toEqual([]);
  },
);

test('lists contain no resources of other projects', async () => {
  const world = await createWorld(daemon, people, next);
  const ids = (place: Place) =>
    Promise.all((Object.keys(unknownIds) as Param[]).filter((name) => !/signal|planId/.test(name)).map(place.id));
  const [mine, theirs] = [await ids(world.mine), await ids(world.theirs)];
  const lists = operations.filter(([, { method, path, site }]) => method === 'GET' && !path.includes(':') && !site);
  for (const [, { path }] of lists) {
    for (const caller of [callers['the key of another']!, callers['the session of another, naming their own']!]) {
      const { text } = await ask(daemon, 'GET', `/api${path}`, { headers: caller.headers(world) });
      expect(mine.filter((id) => text.includes(id))).toEqual([]);
    }
  }
  const { text } = await ask(daemon, 'GET', '/api/monitors', { headers: { 'x-api-key': world.theirs.apiKey } });
  expect(theirs.some((id) => text.includes(id))).toBe(true);
});

test('a filter by an id of another project returns the same as a filter by an unknown id', async () => {
  const world = await createWorld(daemon, people, next);
  await world.theirs.id('deliveryId');
  const headers = { 'x-api-key': world.mine.apiKey };
  const filters = operations.flatMap(([, { method, path, query }]) =>
    Object.keys(query?.shape ?? {})
      .filter((field) => field in unknownIds)
      .map((field) => ({ method, path, param: field as Param })),
  );
  expect(filters.length).toBeGreaterThan(0);
  for (const { method, path, param } of filters) {
    const by = async (id: string) => withoutIds(await ask(daemon, method, `/api${path}?${param}=${id}`, { headers }));
    expect(await by(await world.theirs.id(param))).toBe(await by(unknownIds[param]));
  }
});

test.each(paymentRoutes)(
  '%s returns the same answer to every caller, and accepts no payment without a session',
  async (route) => {
    const shop = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
    try {
      const answers = new Set<string>();
      const credentials: Record<string, string>[] = [{}, { 'x-api-key': shop.apiKey }, { cookie: shop.cookie }];
      for (const headers of credentials) {
        for (const query of ['', '?session=', '?session=nobody', `?session=${'a'.repeat(200)}`]) {
          answers.add(withoutIds(await ask(shop, 'GET', route + query, { headers })));
          if (route !== '/checkout/sandbox') continue;
          const paying = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
          const { status } = await ask(shop, 'POST', route + query, { headers: paying, body: 'card=4242424242424242' });
          expect([400, 404]).toContain(status);
        }
      }
      expect(answers.size).toBe(1);
    } finally {
      await shop.close();
    }
  },
);

test('the tests of this file send each operation more than twice for each caller, on average', () => {
  expect(cells).toBeGreaterThan(operations.length * everyone.length * 2);
});
