import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { junitFaults } from '../packages/cli/src/testing/junit-faults.ts';
import { readXml } from '../packages/cli/src/testing/xml-tree.ts';
import { askByMcp } from './ask-by-mcp.ts';
import { startProgram } from './running-program.ts';

const root = join(import.meta.dirname, '..');
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'uptime-downloads-'));
let daemon: ReturnType<typeof startProgram>;
let url: string;
let apiKey: string;
let empty: string;

/** The requests that npm sent to the registry. */
const registryRequests: string[] = [];
const registry = createServer((request, response) => {
  registryRequests.push(`${request.method} ${request.url}`);
  response.writeHead(404).end();
});

// These tests need no other host than the daemon. The cache of npm is empty.
beforeAll(async () => {
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'program'], { stdio: 'pipe' });
  daemon = startProgram(process.execPath, [join(root, 'dist/program/main.js'), 'quickstart'], {
    cwd: folder,
    env: { PATH: '', HOME: folder, UPTIME_PORT: '0' },
  });
  [, url = ''] = await daemon.says(/runs at (http:\S+)/);
  [, apiKey = ''] = await daemon.says(/API key +(uptime_\S+) /);
}, 600_000);

afterAll(async () => {
  await daemon.end('SIGTERM');
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(() => {
  expect(registryRequests.splice(0)).toEqual([]);
});

beforeEach(() => {
  empty = mkdtempSync(join(folder, 'empty-'));
});

const environment = () => ({
  // The tests use the Node of the repository and the npm of the system.
  PATH: [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)]
    .filter((part) => !part.includes(join('node_modules', '.bin')))
    .join(delimiter),
  HOME: empty,
  npm_config_cache: join(empty, '.npm'),
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  UPTIME_SITE_URL: url,
  UPTIME_API_KEY: apiKey,
});

const sh = (line: string, env: Record<string, string> = {}) =>
  execute('sh', ['-c', line], { cwd: empty, env: { ...environment(), ...env } });

const monitors = async () => {
  const response = await fetch(`${url}/api/monitors`, { headers: { 'x-api-key': apiKey } });
  return (await response.json()) as { id: string; key: string | null }[];
};

async function deleteMonitors(names: readonly string[]): Promise<void> {
  for (const { id, key } of await monitors())
    if (key !== null && names.includes(key))
      await fetch(`${url}/api/monitors/${id}`, { method: 'DELETE', headers: { 'x-api-key': apiKey } });
}

/** For each example: the shell lines that the CI runs, with their environment. */
const examples: [name: string, lines: () => Line[]][] = [
  [
    'github-actions.yml',
    () => {
      const { jobs } = parse(example('github-actions.yml')) as {
        jobs: { monitors: { steps: { run?: string; env?: Record<string, string> }[] } };
      };
      return jobs.monitors.steps.flatMap(({ run: line, env = {} }) => (line ? { line, env } : []));
    },
  ],
  [
    'gitlab-ci.yml',
    () => {
      const { monitors: job } = parse(example('gitlab-ci.yml')) as {
        monitors: { script: string[]; rules: { variables: Record<string, string> }[] };
      };
      return job.rules.flatMap(({ variables: env }) => job.script.map((line) => ({ line, env })));
    },
  ],
  ['apply.sh', () => [{ line: example('apply.sh'), env: { UPTIME_API_KEY: '$UPTIME_APPLY_KEY' } }]],
];

interface Line {
  line: string;
  env: Record<string, string>;
}

/** Creates the keys that the examples use. Returns the environment variables that contain the keys. */
async function variablesOfCi(): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const scope of ['read', 'apply']) {
    const response = await fetch(`${url}/api/projects/current/keys`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${scope} ${performance.now()}`, scope }),
    });
    variables[`UPTIME_${scope.toUpperCase()}_KEY`] = ((await response.json()) as { key: string }).key;
  }
  return variables;
}

/** Fills in variables and secrets, as a CI system does. Drops GitHub's token, because a test has none. */
const filled = (env: Record<string, string>, variables: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([, value]) => !value.includes('github.token'))
      .map(([name, value]) => [
        name,
        value.replace(/\$\{\{ secrets\.(\w+) \}\}|\$(\w+)/, (_, secret?: string, variable?: string) => {
          const found = variables[secret ?? variable ?? ''];
          if (found === undefined) throw new Error(`No variable for ${value}`);
          return found;
        }),
      ]),
  );

test.each(examples)('examples/ci/%s works as written, from an empty folder', async (_, lines) => {
  cpSync(join(root, 'examples/ci/monitors.yaml'), join(empty, 'monitors.yaml'));
  const listed = parse(example('monitors.yaml')) as { monitors: { key: string }[] };
  const variables = await variablesOfCi();
  for (const { line, env } of lines()) await sh(line, filled(env, variables));
  const names = listed.monitors.map(({ key }) => key);
  expect((await monitors()).map(({ key }) => key)).toEqual(expect.arrayContaining(names));
  await deleteMonitors(names);
});

/** Returns the CI jobs of docs/manifest.md that test a manifest: for GitHub, GitLab and a plain shell. */
function stanzas(): string[] {
  const [section = ''] = /\n## Tests\n[^]*?\n## /.exec(readFileSync(join(root, 'docs/manifest.md'), 'utf8')) ?? [];
  const [github, gitlab, shell] = [...section.matchAll(/```\w+\n([^]*?)```/g)].map(([, block = '']) => block);
  const [step] = parse(github!) as [{ run: string }];
  const { 'test-monitors': job } = parse(gitlab!) as Record<string, { script: string[] }>;
  return [step.run, job!.script.join('\n'), `set -e\n${shell}`];
}

test('the CI jobs of docs/manifest.md write a JUnit report, and fail if a check fails', async () => {
  const report = () => readXml(readFileSync(join(empty, 'report.xml'), 'utf8'));
  const manifest = (path: string) =>
    `monitors:\n  - { name: Site, type: http, url: "${url}${path}" }\n  - { name: Job, type: heartbeat }\n`;
  for (const line of stanzas()) {
    for (const [path, code, failures] of [
      ['/healthz', 0, '0'],
      ['/no-such-page', 1, '1'],
    ] as const) {
      writeFileSync(join(empty, 'monitors.yaml'), manifest(path));
      const ended = await sh(line).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      expect([line, ended]).toEqual([line, code]);
      expect(junitFaults(report())).toEqual([]);
      expect(report().children[0]!.attributes).toMatchObject({ tests: '2', failures, skipped: '1' });
      rmSync(join(empty, 'report.xml'));
    }
  }
});

test.each(['commonjs', 'module'])('the CLI as one file runs within a package of type %s', async (type) => {
  writeFileSync(join(empty, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(empty, 'monitors.yaml'), 'monitors: []\n');
  const { stdout } = await sh(`set -e
export UPTIME_INSTALL_DIR="$PWD/.uptime"
curl -fsS "$UPTIME_SITE_URL/install.sh" | sh
.uptime/uptime validate`);
  expect(stdout).toContain('No fault: 0 monitors.');
});

test('examples/ci/github-forks.yml runs the plan outside of the folder of the fork, so that no file of the fork is run', async () => {
  const { jobs } = parse(example('github-forks.yml')) as {
    jobs: { plan: { steps: { run?: string; env?: Record<string, string>; with?: { path?: string } }[] } };
  };
  const checkout = jobs.plan.steps.map((step) => step.with?.path).find((path) => path !== undefined)!;
  mkdirSync(join(empty, checkout));
  cpSync(join(root, 'examples/ci/monitors.yaml'), join(empty, checkout, 'monitors.yaml'));
  // npm would use this file if it started in the folder of the fork.
  writeFileSync(join(empty, checkout, '.npmrc'), 'node-options=--require ./hostile.cjs\n');
  writeFileSync(join(empty, checkout, 'hostile.cjs'), 'process.exit(99);\n');
  const [{ run, env }] = jobs.plan.steps.filter((step) => step.run !== undefined) as [
    { run: string; env: Record<string, string> },
  ];
  const variables = await variablesOfCi();
  expect(Object.values(env)).toContain('${{ secrets.UPTIME_READ_KEY }}');
  const keys = async () => (await monitors()).map(({ key }) => key);
  const before = await keys();
  const { stdout } = await sh(run, filled(env, variables));
  expect(stdout).toContain('Plan: 2 to create');
  expect(stdout).toContain(`::notice file=${checkout}/monitors.yaml,`);
  expect(await keys()).toEqual(before);
});

test('the tests of this file run every example of examples/ci', () => {
  expect(readdirSync(join(root, 'examples/ci')).toSorted()).toEqual(
    [...examples.map(([name]) => name), 'github-forks.yml', 'monitors.yaml'].toSorted(),
  );
});

test('the downloaded CLI serves MCP, as a package and as one file', async () => {
  await sh('curl -fsS "$UPTIME_SITE_URL/install.sh" | sh', { UPTIME_INSTALL_DIR: empty });
  for (const [command, args] of [
    ['npx', ['--yes', `${url}/cli.tgz`, 'mcp']],
    [join(empty, 'uptime'), ['mcp']],
  ] as const) {
    const answer = await askByMcp({ command, args: [...args], cwd: empty, env: environment() });
    expect(answer).toContain('This server answers');
  }
});

test('the downloaded packages have no dependencies, and the CLI has the version of the daemon', async () => {
  const { stdout } = await sh('npx --yes "$UPTIME_SITE_URL/cli.tgz" --version');
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string };
  expect(stdout).toContain(version);
  writeFileSync(join(empty, 'package.json'), '{ "type": "module" }');
  await sh('npm install "$UPTIME_SITE_URL/cli.tgz" "$UPTIME_SITE_URL/sdk.tgz"');
  const installed = readdirSync(join(empty, 'node_modules/@uptime')).toSorted();
  expect([installed, readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))]).toEqual([
    ['cli', 'sdk'],
    ['@uptime'],
  ]);
  expect(existsSync(join(empty, 'node_modules/@uptime/sdk/dist/index.d.ts'))).toBe(true);
  expect(await loadedBy('--version')).toEqual(['uptime.js']);
  expect(await loadedBy(`ping ${url}/ping/no-such-token`)).toEqual(
    expect.arrayContaining(['uptime.js', 'ping.js', 'main.js']),
  );
  writeFileSync(
    join(empty, 'list.js'),
    `import { Uptime } from '@uptime/sdk';
const uptime = new Uptime({ siteUrl: process.env.UPTIME_SITE_URL, apiKey: process.env.UPTIME_API_KEY });
for await (const { name } of uptime.monitors.iterate()) console.log(name);`,
  );
  expect((await sh('node list.js')).stdout).not.toBe('');
});

/** Returns the files of the installed CLI that a command line loads. */
async function loadedBy(words: string): Promise<string[]> {
  writeFileSync(
    join(empty, 'trace.mjs'),
    `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`,
  );
  const { stderr } = await sh(`node --import ./trace.mjs node_modules/@uptime/cli/dist/uptime.js ${words} || true`);
  return [...stderr.matchAll(/\/@uptime\/cli\/dist\/(\S+)/g)].map(([, file = '']) => file);
}

const example = (name: string) => readFileSync(join(root, 'examples/ci', name), 'utf8');
