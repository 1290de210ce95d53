import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startProgram } from './running-program.ts';

const root = join(import.meta.dirname, '..');
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'uptime-downloads-'));
let daemon: ReturnType<typeof startProgram>;
let url: string;
let apiKey: string;
let empty: string;

// The daemon is the only host that these tests reach: npm's registry is a closed port, and its cache is empty.
beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'program'], { stdio: 'pipe' });
  daemon = startProgram(process.execPath, [join(root, 'dist/program/main.js'), 'quickstart'], {
    cwd: folder,
    env: { PATH: '', HOME: folder, UPTIME_PORT: '0' },
  });
  [, url = ''] = await daemon.says(/runs at (http:\S+)/);
  [, apiKey = ''] = await daemon.says(/API key +(uptime_\S+) /);
}, 180_000);

afterAll(async () => {
  await daemon.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  empty = mkdtempSync(join(folder, 'empty-'));
});

const environment = () => ({
  // The repository's Node, and the npm of the system.
  PATH: [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)]
    .filter((part) => !part.includes(join('node_modules', '.bin')))
    .join(delimiter),
  HOME: empty,
  npm_config_cache: join(empty, '.npm'),
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  UPTIME_SITE_URL: url,
  UPTIME_API_KEY: apiKey,
});

const sh = (line: string, env: Record<string, string> = {}) =>
  execute('sh', ['-c', line], { cwd: empty, env: { ...environment(), ...env } });

const keys = async (): Promise<(string | null)[]> => {
  const response = await fetch(`${url}/api/monitors`, { headers: { 'x-api-key': apiKey } });
  return ((await response.json()) as { key: string | null }[]).map(({ key }) => key);
};

/** The lines of an example, as its CI runs them. */
const examples: [name: string, lines: () => string[], env: Record<string, string>][] = [
  [
    'github-actions.yml',
    () => {
      const { jobs } = parse(example('github-actions.yml')) as {
        jobs: { monitors: { steps: { run?: string }[] } };
      };
      return jobs.monitors.steps.flatMap(({ run }) => run ?? []);
    },
    {},
  ],
  [
    'gitlab-ci.yml',
    () => (parse(example('gitlab-ci.yml')) as { monitors: { script: string[] } }).monitors.script,
    { MODE: '--yes' },
  ],
  ['apply.sh', () => [example('apply.sh')], {}],
];

test.each(examples)(
  'examples/ci/%s works as written, from an empty folder',
  { timeout: 120_000 },
  async (_, lines, env) => {
    cpSync(join(root, 'examples/ci/monitors.yaml'), join(empty, 'monitors.yaml'));
    const listed = parse(example('monitors.yaml')) as { monitors: { key: string }[] };
    for (const line of lines()) await sh(line, env);
    expect(await keys()).toEqual(expect.arrayContaining(listed.monitors.map(({ key }) => key)));
    for (const { key } of listed.monitors)
      await sh(`npx --yes "$UPTIME_SITE_URL/cli.tgz" monitors delete ${key} --yes`);
  },
);

test('every example of examples/ci is tried', () => {
  expect(readdirSync(join(root, 'examples/ci')).toSorted()).toEqual(
    [...examples.map(([name]) => name), 'monitors.yaml'].toSorted(),
  );
});

test('the packages depend on nothing, and the CLI has the version of the daemon', { timeout: 120_000 }, async () => {
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
  writeFileSync(
    join(empty, 'list.js'),
    `import { Uptime } from '@uptime/sdk';
const uptime = new Uptime({ siteUrl: process.env.UPTIME_SITE_URL, apiKey: process.env.UPTIME_API_KEY });
for await (const { name } of uptime.monitors.iterate()) console.log(name);`,
  );
  expect((await sh('node list.js')).stdout).not.toBe('');
});

const example = (name: string) => readFileSync(join(root, 'examples/ci', name), 'utf8');
