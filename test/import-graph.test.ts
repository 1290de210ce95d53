import { describe, expect, test } from 'vitest';
import { isCommonJs, room, type Source, sources } from './read-sources.ts';
import { readClocklessRooms, readPackages, readRooms } from './room-tables.ts';

/** The tables of docs/architecture.md. Add a new import there first. */
const rooms = { daemon: readRooms("The daemon's rooms"), cli: readRooms('The command line') };
const betweenPackages = readPackages();

/** Files that no other source has to import: programs, entry points of packages, proofs, and texts for the build. */
const entries = /\/(?:bin|index|testing|help-texts)\.ts$|\.proof\.ts$/;

/** The files that may read the process: its arguments, environment, streams and signals. */
const processPlaces = [
  'packages/cli/src/bin.ts',
  'packages/cli/src/main.ts',
  'packages/daemon/src/bin.ts',
  'packages/daemon/src/main.ts',
  'packages/daemon/src/commands/serve.ts',
  'packages/daemon/src/commands/probe.ts',
  'packages/daemon/src/commands/admin.ts',
  'packages/daemon/src/commands/backup.ts',
  'packages/daemon/src/commands/doctor.ts',
  'packages/daemon/src/commands/migrate-to-postgres.ts',
  'packages/daemon/src/commands/print.ts',
  'packages/daemon/src/log.ts',
  // This file reports how much processor time and memory the process uses.
  'packages/daemon/src/resources/server-metrics.ts',
  // The path of the hosts file depends on the system.
  'packages/daemon/src/checks/hosts-file.ts',
];

test('a package imports from other packages only what the table allows', () => {
  const crossings = sources.flatMap((file) =>
    file.imports
      .filter(({ from }) => from.startsWith('@uptime/') && !betweenPackages.get(file.package)?.includes(from))
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

test('a package uses each import that the table allows', () => {
  const unused = [...betweenPackages].flatMap(([name, allowed]) =>
    allowed
      .filter((from) => !sources.some((file) => file.package === name && file.imports.some((one) => one.from === from)))
      .map((from) => `${name} does not import ${from}`),
  );
  expect(unused).toEqual([]);
});

describe.each(['daemon', 'cli'] as const)('in the package %s', (name) => {
  const table = rooms[name];
  const files = sources.filter((file) => file.package === name);
  const rowOf = (path: string) => table.find((row) => row.rooms.includes(room(path)));
  /** Returns the imports of a file from rooms in other rows of the table, each with the name of the row. */
  const importsOf = ({ path, imports }: Source) =>
    imports
      .filter(({ target }) => target?.includes('/src/'))
      .map(({ from, target }) => ({ from, row: rowOf(target!)?.name ?? room(target!) }))
      .filter(({ row }) => row !== rowOf(path)?.name);

  test('a room imports only the rooms that the table allows', () => {
    const forbidden = files.flatMap((file) => {
      const row = rowOf(file.path);
      if (!row) return [`${file.path} is in no room of the table`];
      return importsOf(file)
        .filter((one) => !row.mayImport.includes(one.row))
        .map(({ from }) => `${file.path} imports ${from}`);
    });
    expect(forbidden).toEqual([]);
  });

  test('a room uses each import that the table allows', () => {
    const unused = table.flatMap((row) => {
      const used = files.filter(({ path }) => rowOf(path) === row).flatMap((file) => importsOf(file));
      return row.mayImport
        .filter((allowed) => !used.some((one) => one.row === allowed))
        .map((allowed) => `${row.name} does not import ${allowed}`);
    });
    expect(unused).toEqual([]);
  });

  test('the table has only rooms that exist', () => {
    const existing = new Set(files.map(({ path }) => room(path)));
    expect(table.flatMap((row) => row.rooms).filter((one) => !existing.has(one))).toEqual([]);
  });

  test('a room imports only rooms above it in the table', () => {
    const names = table.map((row) => row.name);
    const below = table.flatMap((row, index) =>
      row.mayImport
        .filter((allowed) => !names.slice(0, index).includes(allowed))
        .map((allowed) => `${row.name} imports ${allowed}`),
    );
    expect(below).toEqual([]);
  });
});

test('every file except an entry is imported by another file, so no definition is missing in the `index.ts` of its folder', () => {
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

test.each(readClocklessRooms())('the room %s uses neither the clock of the system nor its random numbers', (name) => {
  const files = sources.filter((file) => file.package === 'daemon' && room(file.path) === name);
  const asking = files
    .filter(({ code }) =>
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bset(?:Timeout|Interval)\(|\bAbortSignal\.timeout\(|node:timers|import [^;]*\bsystemClock\b/.test(
        code,
      ),
    )
    .map((file) => file.path);
  expect(files).not.toEqual([]);
  expect(asking).toEqual([]);
});

test('in the engine, only loop.ts sets timers itself', () => {
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
