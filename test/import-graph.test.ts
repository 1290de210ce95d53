import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Files that every room except the pure ones may use. */
const leaves = ['deps', 'errors', 'wait'];

/**
 * The allowed imports inside the daemon: for each room, the rooms or files that it may use besides itself. This is the
 * table of docs/architecture.md. Add a new edge there first.
 */
const daemonRooms: Record<string, readonly string[]> = {
  deps: [],
  errors: [],
  wait: ['deps'],
  'steady-clock': ['deps'],
  closers: [],
  'shell-word': [],
  'file-limit': [],
  'file-owners': ['shell-word'],
  config: ['deps', 'errors', 'shell-word'],
  log: ['config', ...leaves],
  'data-dir': ['config', 'file-owners', 'shell-word', ...leaves],
  core: [],
  checks: ['core', 'deps', 'wait'],
  'guarded-agent': [],
  'escape-html': [],
  channels: ['core', 'guarded-agent', 'escape-html', 'deps'],
  expiry: ['core', 'guarded-agent', 'deps'],
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
  admin: ['core', 'store', 'lifecycle', 'plans', 'accounts', 'config', 'log', ...leaves],
  'stop-signals': [],
  main: ['daemon', 'admin', 'config', 'file-limit', 'stop-signals'],
  bin: ['main'],
};

/** The imports between packages that are allowed. */
const betweenPackages: Record<string, readonly string[]> = {
  sdk: [],
  daemon: ['@uptime/sdk/contract'],
  cli: ['@uptime/sdk', '@uptime/sdk/contract', '@uptime/daemon/checks'],
};

/** Entry points of programs, packages and the compiler. */
const entries = /\/(?:bin|index|testing)\.ts$|\.proof\.ts$/;

/** The places that may read the process: its arguments, environment, streams and signals. */
const processPlaces = [
  'packages/cli/src/bin.ts',
  'packages/cli/src/main.ts',
  'packages/daemon/src/bin.ts',
  'packages/daemon/src/main.ts',
  'packages/daemon/src/log.ts',
  // The path of the hosts file depends on the system.
  'packages/daemon/src/checks/hosts-file.ts',
];

test('a package imports from the others only as documented', () => {
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
  const daemon = sources.filter((file) => file.package === 'daemon');
  expect(daemon.map((file) => room(file.path)).filter((name) => name !== 'daemon' && !(name in daemonRooms))).toEqual(
    [],
  );
  const forbidden = daemon.flatMap((file) => {
    const own = room(file.path);
    if (own === 'daemon') return [];
    return file.imports
      .filter(
        ({ target }) => target?.includes('/src/') && room(target) !== own && !daemonRooms[own]?.includes(room(target)),
      )
      .map(({ from }) => `${file.path} imports ${from}`);
  });
  expect(forbidden).toEqual([]);
});

test('every file is imported by another, so a file missing from its registry is found', () => {
  const imported = new Set(sources.flatMap((file) => file.imports.map(({ target }) => target)));
  const unused = sources.map(({ path }) => path).filter((path) => !imported.has(path) && !entries.test(path));
  expect(unused).toEqual([]);
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

test('only the programs themselves read the process', () => {
  const readers = sources
    .filter((file) => !processPlaces.includes(file.path) && file.globals.has('process'))
    .map((file) => file.path);
  expect(readers).toEqual([]);
});

test('core asks neither the clock nor the dice', () => {
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

test('a dynamic import of a CommonJS package uses the default export, the only name after a build', () => {
  const named = sources.flatMap((file) =>
    file.imports
      .filter(({ from, dynamic }) => dynamic && isCommonJs(file.package, from))
      .filter(({ from }) => !new RegExp(`\\{ default: \\w+ \\} = await import\\('${from}'\\)`).test(file.code))
      .map(({ from }) => `${file.path} imports ${from}`),
  );
  expect(named).toEqual([]);
});

test("nothing decodes with Node's Brotli, whose flaws would be open to every server (docs/security.md)", () => {
  const decoding = sources.filter((file) => /brotliDecompress/i.test(file.code)).map((file) => file.path);
  expect(decoding).toEqual([]);
  // fetch decodes every answer unless an option forbids it.
  const fetching = sources
    .filter((file) => file.package === 'daemon' && /(?<!\.)\bfetch\(/.test(file.code))
    .map((file) => file.path);
  expect(fetching).toEqual([
    'packages/daemon/src/guarded-agent.ts',
    // Runs in the reader's browser.
    'packages/daemon/src/status-page/script.ts',
  ]);
});

interface Source {
  path: string;
  package: string;
  /** The text without comments. */
  code: string;
  imports: { from: string; target: string | null; typeOnly: boolean; dynamic: boolean }[];
  /** Names used as plain identifiers, not as properties. */
  globals: Set<string>;
}

/** `packages/daemon/src/store/x.ts` is in the room `store`. A file directly in src is its own room. */
function room(path: string): string {
  return (path.split('/src/')[1] ?? '').split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

const sources: readonly Source[] = ['sdk', 'daemon', 'cli'].flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|soak)\.ts$|^testing[/\\]/.test(path))
    .map((path) => read(name, `packages/${name}/src/${path.split(sep).join('/')}`)),
);

function read(name: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Source['imports'] = [];
  const globals = new Set<string>();
  const declared = new Set<string>();
  const add = (from: ts.Node | undefined, typeOnly: boolean, dynamic = false) => {
    const literal = from && ts.isLiteralTypeNode(from) ? from.literal : from;
    if (!literal || !ts.isStringLiteral(literal))
      throw new Error(`${path}: an import whose source is not a plain text`);
    const target = literal.text.startsWith('.')
      ? relative(root, resolve(root, dirname(path), literal.text))
          .split(sep)
          .join('/')
      : null;
    imports.push({ from: literal.text, target, typeOnly, dynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node.argument, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    else if ((ts.isVariableDeclaration(node) || ts.isBindingElement(node)) && ts.isIdentifier(node.name))
      declared.add(node.name.text);
    else if (ts.isIdentifier(node) && isGlobalUse(node)) globals.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return {
    path,
    package: name,
    code: withoutComments(text),
    imports,
    globals: new Set([...globals].filter((name) => !declared.has(name))),
  };
}

/** Whether a third-party package is CommonJS for its importers. */
function isCommonJs(importer: string, name: string): boolean {
  if (/^(\.|node:|@uptime\/)/.test(name)) return false;
  const file = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', 'process.stdout.write(import.meta.resolve(process.argv[1]))', name],
    { cwd: join(root, 'packages', importer), encoding: 'utf8' },
  );
  if (/\.[cm]js$/.test(file)) return file.endsWith('.cjs');
  const { type } = JSON.parse(readFileSync(findPackageJSON(file)!, 'utf8')) as { type?: string };
  return type !== 'module';
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

function isGlobalUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !ts.isPropertyAssignment(parent) && !ts.isPropertySignature(parent) && !ts.isParameter(parent);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}
