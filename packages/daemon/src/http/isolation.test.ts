import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import type { Backend, Operation } from '../resources/handler.ts';
import { handlers } from '../resources/index.ts';
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
import { noDownloads } from '../testing/never-called.ts';
import { createTestDaemon, silentLog, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';
import { createDomainServer } from './domain-server.ts';
import { createServer } from './server.ts';

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

/** A caller: what it sends, and what that opens. */
interface Caller {
  kind: 'nobody' | 'key' | 'session';
  headers: (world: World) => Record<string, string>;
  /** The owner of the project that it opens, for operations that need one; `none` if it names none. */
  opens: Whose | 'none';
  /** For a session: its owner. */
  person?: keyof typeof people;
}

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

/** A body that each operation accepts. A new operation in the contract does not compile without one. */
const bodies: Record<WithBody, (place: Place, ids: { monitorIds?: string[]; channelIds?: string[] }) => object> = {
  signUp: () => ({ name: 'x', email: `new-${next()}@example.com`, password: 'correct horse' }),
  signIn: () => ({ email: people.owner.email, password: 'correct horse' }),
  changePassword: () => ({ currentPassword: 'correct horse', newPassword: 'correct horse' }),
  createProject: () => ({ name: 'x' }),
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

/** The status for a caller with access, where this test cannot reach success. */
const reached: Partial<Record<Operation, number>> = {
  // The test has no mail server, and the page has no domain of its own.
  testChannel: 502,
  verifyDomain: 409,
  // This server asks for no codes.
  confirmChannel: 409,
  // The test has no payment provider.
  createCheckout: 409,
  billingWebhook: 404,
};

/** The status that a cell must have. `target` says whose the id in the path is, seen from the caller's world. */
function expected(operation: Operation, endpoint: Endpoint, caller: Caller, target: Whose | null): number {
  const ok = reached[operation] ?? (operation in handlers || endpoint.access === 'ping' ? endpoint.status : 501);
  const own = { owner: 'mine', stranger: 'theirs', admin: null } as const;
  switch (endpoint.access) {
    case 'public':
      return ok;
    case 'ping':
      return target === 'unknown' ? 404 : ok;
    case 'project':
      if (caller.kind === 'nobody') return 401;
      if (caller.opens === 'none') return 400;
      return caller.opens === 'unknown' || (target && target !== caller.opens) ? 404 : ok;
    case 'owner':
      if (caller.kind === 'nobody') return 401;
      return target === (caller.person ? own[caller.person] : caller.opens) ? ok : 404;
    case 'session':
      if (caller.kind !== 'session') return caller.kind === 'key' ? 403 : 401;
      return target && target !== own[caller.person!] ? 404 : ok;
    case 'admin':
    default:
      if (caller.kind !== 'session') return caller.kind === 'key' ? 403 : 401;
      if (caller.person !== 'admin') return 403;
      return target === 'unknown' ? 404 : ok;
  }
}

const everyone = Object.entries(callers);
const whose = ['mine', 'theirs', 'unknown'] as const;
let cells = 0;

/** An answer without the parts that may differ between another project's things and unknown ones. */
const said = ({ status, type, text }: Awaited<ReturnType<typeof ask>>, ids: readonly string[] = []) => {
  const bare = ids.reduce((left, id) => left.replaceAll(id, 'ID'), text.replace(/"requestId":"\w+"/, ''));
  return `${status} ${type} ${bare}`;
};

/** An operation's address, with the ids of one project or with unknown ids. */
async function addressOf(endpoint: Endpoint, world: World, target: Whose): Promise<string> {
  let path: string = endpoint.path;
  for (const [, name] of endpoint.path.matchAll(/:(\w+)/g)) {
    const param = name as Param;
    path = path.replace(`:${param}`, target === 'unknown' ? unknownIds[param] : await world[target].id(param));
  }
  return endpoint.site ? path : `/api${path}`;
}

/** Sends cells one by one. After a call that changed something, the next call gets a new world. */
function createCells() {
  let world: World | undefined;
  return {
    world: async () => (world ??= await createWorld(daemon, people, next)),
    async send(endpoint: Endpoint, caller: Caller, url: string, body: unknown) {
      const answer = await ask(daemon, endpoint.method, url, { headers: caller.headers(world!), body });
      cells++;
      if (endpoint.method === 'GET' || answer.status >= 300) return answer;
      world = undefined;
      // A call that ended sessions may have ended the test's own.
      if (caller.person && /^\/auth\/(?!sign-in|sign-up)/.test(endpoint.path)) {
        const person = people[caller.person];
        people = { ...people, [caller.person]: { ...person, cookie: await signInAgain(daemon, person.email) } };
      }
      return answer;
    },
  };
}

const operations = Object.entries(allEndpoints) as [Operation, Endpoint][];

test.each(operations)('%s: every caller, on every target', { timeout: 120_000 }, async (operation, endpoint) => {
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
      if (answer.status !== right) wrong.push(`${name}, ${target}: ${answer.status} and not ${right}; ${answer.text}`);
      if (right === 404 && target) refusals.add(said(answer));
      if (endpoint.method === 'GET') {
        const head = await ask(daemon, 'HEAD', url, { headers: caller.headers(world) });
        if (head.status !== answer.status || head.text !== '') wrong.push(`HEAD, ${name}, ${target}: ${head.status}`);
      }
    }
    if (refusals.size > 1) wrong.push(`${name}: foreign and unknown ids differ: ${[...refusals].join(' | ')}`);
  }
  expect(wrong).toEqual([]);
});

/** The lists of ids that an operation's body may hold. */
const idLists = (operation: Operation) =>
  (['monitorIds', 'channelIds'] as const).filter((list) =>
    bodySchemas(operation).some((schema) => schema.properties?.[list]),
  );
const naming = operations.flatMap(([operation, endpoint]) =>
  idLists(operation).map((list) => [operation, list, endpoint] as const),
);

test('the bodies that name monitors and channels are found', () => {
  expect(naming.length).toBeGreaterThanOrEqual(8);
});

test.each(naming)(
  '%s: every caller, with every kind of id in %s',
  { timeout: 120_000 },
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
        if (right === 400 && may !== 400) refusals.add(said(answer, [id]));
      }
      if (refusals.size > 1) wrong.push(`${name}: foreign and unknown ids differ: ${[...refusals].join(' | ')}`);
    }
    expect(wrong).toEqual([]);
  },
);

/** Routes outside the contract. Anyone may read them, and they change nothing. */
const siteRoutes: Record<string, { found: number; unknown?: number }> = {
  '/': { found: 200 },
  // Opened only by the link of an alert.
  '/alerts/:link': { found: 404 },
  // The daemon of this test has no built files.
  '/cli.tgz': { found: 404 },
  '/sdk.tgz': { found: 404 },
  '/uptime.mjs': { found: 404 },
  '/schema/monitors.schema.json': { found: 404 },
  '/install.sh': { found: 404 },
  '/uptime': { found: 404 },
  '/api/openapi.json': { found: 200 },
  '/status/:slug': { found: 200 },
  '/status/:slug/feed.atom': { found: 200 },
  '/status/:slug/badge.svg': { found: 200 },
  // Redirects to the page, whether it exists or not.
  '/status/:slug/': { found: 301, unknown: 301 },
  '/status/:slug/history': { found: 200 },
  // No month and no incident has this name.
  '/status/:slug/history/:month': { found: 404 },
  '/status/:slug/incidents/:publicId': { found: 404 },
  '/status/*': { found: 404 },
  // Exists only while a certificate is being ordered.
  '/.well-known/acme-challenge/:token': { found: 404 },
};

/** Exist only with a payment provider. Only the address that a checkout returned opens them. */
const paymentRoutes = ['/checkout/success', '/checkout/canceled', '/checkout/sandbox'];

test.each(Object.entries(siteRoutes))('%s is the same for every caller', async (route, { found, unknown = 404 }) => {
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
      answers.add(said(answer));
      if (answer.status !== right) wrong.push(`${name}, ${target}: ${answer.status} and not ${right}`);
    }
    if (answers.size > 1) wrong.push(`${target}: ${answers.size} answers`);
  }
  expect(wrong).toEqual([]);
});

test('lists show nothing of other projects', async () => {
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

test('a filter by another project’s id finds the same as one by an unknown id', async () => {
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
    const by = async (id: string) => said(await ask(daemon, method, `/api${path}?${param}=${id}`, { headers }));
    expect(await by(await world.theirs.id(param))).toBe(await by(unknownIds[param]));
  }
});

test.each(paymentRoutes)('%s opens only with its whole address, whoever calls', async (route) => {
  const shop = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  try {
    const answers = new Set<string>();
    const credentials: Record<string, string>[] = [{}, { 'x-api-key': shop.apiKey }, { cookie: shop.cookie }];
    for (const headers of credentials) {
      for (const query of ['', '?session=', '?session=nobody', `?session=${'a'.repeat(200)}`]) {
        answers.add(said(await ask(shop, 'GET', route + query, { headers })));
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
});

test.each([null, { name: 'sandbox' }])(
  'every route of the server is covered, with the payment provider %o',
  async (billing) => {
    const nowhere = { pageAt: () => null, proofOf: () => null, isSecure: () => false };
    const backend = {
      deps: { clock: systemClock, log: silentLog, random: Math.random },
      domains: nowhere,
      billing,
    };
    const getPage = async () => null;
    const domainServer = createDomainServer({
      domains: nowhere,
      getPage,
      log: silentLog,
      trustProxy: false,
      httpsPort: () => null,
    });
    const app = createServer({
      // The test only reads its routes and sends no requests.
      backend: { ...backend, siteUrl: () => 'http://localhost' } as unknown as Backend,
      handlers,
      recordPing: async () => ({ known: false }),
      getPage,
      downloads: noDownloads,
      domainServer,
      rateLimit: false,
      secret: '',
      trustProxy: false,
      loopDelayMs: () => 0,
      underWay: (work) => work,
    });
    const served = new Set<string>();
    app.addHook('onRoute', ({ url }) => void served.add(url));
    await app.ready();
    await app.close();
    const known = operations.map(([, { site, path }]) => (site ? path : `/api${path}`));
    expect([...served].toSorted()).toEqual(
      [...new Set([...known, ...Object.keys(siteRoutes), ...(billing ? paymentRoutes : [])])].toSorted(),
    );
  },
);

test('the number of cells is as expected', () => {
  expect(cells).toBeGreaterThan(operations.length * everyone.length * 2);
});
