import { expect, test } from 'vitest';
import { cliBasics, cliRooms } from './cli-rooms.ts';
import { isCommonJs, room, sources } from './read-sources.ts';

/** Files that most rooms may use. */
const leaves = ['deps', 'errors', 'wait'];

/**
 * The allowed imports inside the daemon: for each room, the rooms or files that it may use besides itself. This is the
 * table of docs/architecture.md. Add a new import to that table first.
 */
const daemonRooms: Record<string, readonly string[]> = {
  deps: [],
  errors: [],
  wait: ['deps'],
  'steady-clock': ['deps'],
  closers: [],
  'shell-word': [],
  'file-limit': [],
  'start-garbage': [],
  'heap-growth': [],
  'file-owners': ['shell-word'],
  config: ['core', 'deps', 'errors', 'shell-word'],
  log: ['config', ...leaves],
  'data-dir': ['config', 'file-owners', 'shell-word', ...leaves],
  core: [],
  checks: ['core', 'deps', 'wait'],
  'guarded-socket': [],
  'guarded-request': ['guarded-socket'],
  'guarded-fetch': ['guarded-socket'],
  'escape-html': [],
  channels: ['core', 'guarded-request', 'escape-html', 'deps'],
  expiry: ['core', 'guarded-fetch', 'deps'],
  store: ['core', 'config', ...leaves],
  'stored-monitors': ['core', 'store', ...leaves],
  alerting: ['core', 'store', 'checks', 'channels', 'stored-monitors', ...leaves],
  recording: ['core', 'store', 'checks', 'stored-monitors', 'alerting', ...leaves],
  lifecycle: ['core', 'store', 'expiry', 'stored-monitors', 'alerting', 'recording', ...leaves],
  plans: ['core', 'store', 'stored-monitors', 'lifecycle', ...leaves],
  accounts: ['core', 'store', 'plans', ...leaves],
  engine: [
    'core',
    'store',
    'checks',
    'channels',
    'expiry',
    'stored-monitors',
    'alerting',
    'recording',
    'lifecycle',
    'custom-domains',
    ...leaves,
  ],
  'probe-protocol': ['core'],
  'version-digests': ['core', 'wait'],
  probes: [
    'core',
    'store',
    'checks',
    'stored-monitors',
    'recording',
    'lifecycle',
    'probe-protocol',
    'version-digests',
    ...leaves,
  ],
  probe: [
    'core',
    'store',
    'checks',
    'stored-monitors',
    'recording',
    'engine',
    'probe-protocol',
    'version-digests',
    'config',
    'log',
    'data-dir',
    'closers',
    'steady-clock',
    ...leaves,
  ],
  'status-page': ['core', 'store', 'escape-html', ...leaves],
  pages: ['core', 'store', 'status-page', ...leaves],
  downloads: ['shell-word'],
  billing: ['core', 'store', ...leaves],
  'custom-domains': ['store', 'checks', ...leaves],
  resources: [
    'core',
    'store',
    'checks',
    'channels',
    'expiry',
    'stored-monitors',
    'alerting',
    'recording',
    'lifecycle',
    'plans',
    'accounts',
    'probes',
    'status-page',
    'custom-domains',
    'billing',
    ...leaves,
  ],
  http: [
    'core',
    'store',
    'alerting',
    'recording',
    'plans',
    'accounts',
    'probe-protocol',
    'probes',
    'resources',
    'status-page',
    'pages',
    'downloads',
    'billing',
    'custom-domains',
    'config',
    'log',
    ...leaves,
  ],
  'kuma-history': ['core', 'store', 'stored-monitors', 'recording', 'lifecycle', ...leaves],
  admin: ['core', 'store', 'lifecycle', 'plans', 'accounts', 'probes', 'kuma-history', 'config', 'log', ...leaves],
  'move-to-postgres': ['store', 'recording', 'config', 'http', 'data-dir', 'log', ...leaves],
  backup: ['store', 'config', 'shell-word', ...leaves],
  'stop-signals': [],
  main: [
    'daemon',
    'probe',
    'admin',
    'backup',
    'move-to-postgres',
    'config',
    'file-limit',
    'start-garbage',
    'heap-growth',
    'stop-signals',
    'deps',
  ],
  'node-version': [],
  bin: ['main', 'node-version'],
};

/** The imports between packages that are allowed. */
const betweenPackages: Record<string, readonly string[]> = {
  sdk: [],
  daemon: ['@uptime/sdk/contract'],
  cli: ['@uptime/sdk', '@uptime/sdk/contract', '@uptime/daemon/checks', '@uptime/daemon/node-version'],
};

/** Entry points of programs, packages, the compiler and the build. */
const entries = /\/(?:bin|index|testing|help-texts)\.ts$|\.proof\.ts$/;

/** The files that may read the process: its arguments, environment, streams and signals. */
const processPlaces = [
  'packages/cli/src/bin.ts',
  'packages/cli/src/main.ts',
  'packages/daemon/src/bin.ts',
  'packages/daemon/src/main.ts',
  'packages/daemon/src/log.ts',
  // This file reports how much processor time and memory the process uses.
  'packages/daemon/src/resources/server-metrics.ts',
  // The path of the hosts file depends on the system.
  'packages/daemon/src/checks/hosts-file.ts',
];

test('a package imports only what the table allows from other packages', () => {
  const crossings = sources.flatMap((file) =>
    file.imports
      .filter(({ from }) => from.startsWith('@uptime/') && !betweenPackages[file.package]?.includes(from))
      .map(({ from }) => `${file.path} imports ${from}`),
  );
  expect(crossings).toEqual([]);
});

test('no relative import leaves its package', () => {
  const leaving = sources.flatMap((file) =>
    file.imports
      .filter(({ target }) => target !== null && !target.startsWith(`packages/${file.package}/`))
      .map(({ from }) => `${file.path} imports ${from}`),
  );
  expect(leaving).toEqual([]);
});

test('a room of the daemon imports only the rooms that the table names', () => {
  // daemon.ts joins all rooms together, so it may import everything.
  expect(forbiddenImports('daemon', { ...daemonRooms, daemon: Object.keys(daemonRooms) })).toEqual([]);
});

test('a room of the command line imports only the rooms that the table names', () => {
  const rooms = Object.entries(cliRooms).map(([name, others]) => [name, [...others, ...cliBasics]] as const);
  expect(forbiddenImports('cli', Object.fromEntries(rooms))).toEqual([]);
});

/** Returns the imports that the table of a package does not allow, and the files whose room is not in the table. */
function forbiddenImports(name: string, rooms: Record<string, readonly string[]>): string[] {
  return sources
    .filter((file) => file.package === name)
    .flatMap(({ path, imports }) => {
      const own = room(path);
      const allowed = rooms[own];
      if (!allowed) return [`${path} is in no room of the table`];
      return imports
        .filter(({ target }) => target?.includes('/src/') && room(target) !== own && !allowed.includes(room(target)))
        .map(({ from }) => `${path} imports ${from}`);
    });
}

test('every file is imported by another file, so a definition that is missing in its registry is found', () => {
  const imported = new Set(sources.flatMap((file) => file.imports.map(({ target }) => target)));
  const unused = sources.map(({ path }) => path).filter((path) => !imported.has(path) && !entries.test(path));
  const registryOf = (path: string) => path.replace(/[^/]+$/, 'index.ts');
  const isRegistry = (path: string) => sources.some((file) => file.path === path);
  expect(
    unused.map((path) => (isRegistry(registryOf(path)) ? `${path} is missing in ${registryOf(path)}` : path)),
  ).toEqual([]);
});

test('the client of the SDK imports only types from the contract', () => {
  const values = sources
    .filter((file) => file.package === 'sdk' && !/src\/(contract\/|testing|types\.proof)/.test(file.path))
    .flatMap((file) =>
      file.imports
        .filter(({ target, from, typeOnly }) => !typeOnly && (target?.includes('/contract/') || from === 'zod'))
        .map(({ from }) => `${file.path} imports ${from}`),
    );
  expect(values).toEqual([]);
});

test('only the files in `processPlaces` use the global `process`', () => {
  const readers = sources
    .filter((file) => !processPlaces.includes(file.path) && file.globals.has('process'))
    .map((file) => file.path);
  expect(readers).toEqual([]);
});

test('core uses neither the clock nor random numbers', () => {
  const askers = sources
    .filter((file) => room(file.path) === 'core')
    .filter((file) =>
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.|\bset(Timeout|Interval|Immediate)\(/.test(
        file.code,
      ),
    )
    .map((file) => file.path);
  expect(askers).toEqual([]);
});

test('the engine has one timer, in loop.ts', () => {
  const timers = sources
    .filter((file) => room(file.path) === 'engine' && !file.path.endsWith('engine/loop.ts'))
    .filter((file) => /\bset(Timeout|Interval)\(|node:timers|\bclock\.after\(/.test(file.code))
    .map((file) => file.path);
  expect(timers).toEqual([]);
});

test('a dynamic import of a CommonJS package uses the default export, because the build keeps no other name', () => {
  const named = sources.flatMap((file) =>
    file.imports
      .filter(({ from, dynamic }) => dynamic && isCommonJs(file.package, from))
      .filter(({ from }) => !new RegExp(`\\{ default: \\w+ \\} = await import\\('${from}'\\)`).test(file.code))
      .map(({ from }) => `${file.path} imports ${from}`),
  );
  expect(named).toEqual([]);
});

test("no code decodes with Node's Brotli, because any server could use its flaws (docs/security.md)", () => {
  const decoding = sources.filter((file) => /brotliDecompress/i.test(file.code)).map((file) => file.path);
  expect(decoding).toEqual([]);
  // `fetch` decodes the body of every answer, unless the caller forbids it.
  const fetching = sources
    .filter((file) => file.package === 'daemon' && /(?<!\.)\bfetch\(/.test(file.code))
    .map((file) => file.path);
  expect(fetching).toEqual([
    'packages/daemon/src/guarded-fetch.ts',
    // This file sends requests only to the daemon of its own machine.
    'packages/daemon/src/admin/doctor.ts',
    // This code runs in the reader's browser.
    'packages/daemon/src/status-page/script.ts',
  ]);
});
