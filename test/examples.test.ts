import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createContext, run } from '@uptime/cli';
import { type MonitorType, monitorTypes, ownFields, triggers } from '@uptime/sdk/contract';
import { createTestDaemon, type TestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';
import { testProgram } from '../packages/daemon/src/testing/test-program.ts';
import { textSink } from './text-sink.ts';

const root = resolve(import.meta.dirname, '..');
const examples = join(root, 'examples');
const withManifest = readdirSync(examples).filter((name) =>
  readdirSync(join(examples, name)).includes('monitors.yaml'),
);
const program = promisify(execFile);

/** Returns the environment variables that a manifest uses without a default, each with a valid value. */
const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => {
      if (name.endsWith('_URL')) return [name, `https://hooks.example.com/${name}`];
      return [name, name.endsWith('_NUMBER') ? '+15550100' : `secret-of-${name.toLowerCase()}`];
    }),
  );

/** The environment variables that the manifests of the examples use. */
const variables: Record<string, string> = {};

let daemon: TestDaemon;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'uptime-examples-'));
  // The examples name hosts of other people. The tests plan and store the examples, and never contact these hosts.
  daemon = await createTestDaemon({ runCheck: async () => quiet });
});

afterAll(async () => {
  await daemon.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe.each(withManifest)('examples/%s', (name) => {
  test('the example can be applied; then nothing is left to apply or to pull, and all its resources can be deleted', async () => {
    const file = join(examples, name, 'monitors.yaml');
    const text = readFileSync(file, 'utf8');
    const lists = parse(text) as Record<string, unknown[]> & { monitors: unknown[] };
    expect(lists.monitors.length).toBeGreaterThan(0);
    Object.assign(variables, variablesOf(text));

    expect(await uptime('monitors', 'apply', '-f', file, '--yes')).toMatchObject({ exit: 0 });
    expect(await count()).toBe(lists.monitors.length);
    const again = await uptime('monitors', 'apply', '-f', file, '--dry-run', '--detailed-exitcode');
    expect(again, again.output).toMatchObject({ exit: 0 });
    const pulled = await uptime('pull', '-f', file, '--dry-run');
    expect(pulled.output).toContain('Nothing to do: the manifest describes the server.');

    const nothing = join(scratch, 'nothing.yaml');
    writeFileSync(
      nothing,
      Object.keys(lists)
        .map((list) => `${list}: []\n`)
        .join(''),
    );
    const gone = await uptime('monitors', 'apply', '-f', nothing, '--prune', '--allow-deletes', '--yes');
    expect(gone, gone.output).toMatchObject({ exit: 0 });
    for (const path of ['monitors', 'notification-channels', 'alert-rules', 'status-pages', 'incidents']) {
      expect(await daemon.request('GET', `/api/${path}`)).toMatchObject({ body: [] });
    }
  });
});

test('examples/all-types has every type of monitor, and every field that not all types share', () => {
  const { monitors } = parse(readFileSync(join(examples, 'all-types/monitors.yaml'), 'utf8')) as {
    monitors: { type: MonitorType }[];
  };
  for (const type of monitorTypes) {
    const shown = monitors.filter((monitor) => monitor.type === type).flatMap((monitor) => Object.keys(monitor));
    const missing = ownFields(type).filter((field) => !shown.includes(field));
    expect({ type, shown: shown.length > 0, missing }).toEqual({ type, shown: true, missing: [] });
  }
});

test('examples/team has every trigger, and a rule for each of its channels', () => {
  const { channels, alertRules } = parse(readFileSync(join(examples, 'team/monitors.yaml'), 'utf8')) as {
    channels: { key: string }[];
    alertRules: { channels: string[]; trigger?: string }[];
  };
  expect(new Set(alertRules.map(({ trigger = 'monitor_down' }) => trigger))).toEqual(new Set(triggers));
  expect(new Set(alertRules.flatMap((rule) => rule.channels))).toEqual(new Set(channels.map(({ key }) => key)));
});

test('in examples/ci, the job that plans a pull request never cancels an apply job that waits', () => {
  const { jobs } = parse(readFileSync(join(examples, 'ci/github-actions.yml'), 'utf8')) as {
    jobs: { monitors: { concurrency: string } };
  };
  expect(jobs.monitors.concurrency).toContain('${{ github.ref }}');
});

test('in examples/ci, the first command only plans, and the second command creates two monitors', async () => {
  const workflow = parse(readFileSync(join(examples, 'ci/github-actions.yml'), 'utf8')) as {
    jobs: { monitors: { steps: { run?: string }[] } };
  };
  const commands = workflow.jobs.monitors.steps.flatMap(({ run: line }) => (line ? [line] : []));
  expect(commands).toHaveLength(2);
  const counts: number[] = [];
  for (const line of commands) {
    // Runs the command in this process instead of through npx. test/downloads.test.ts runs the whole lines.
    const [npx, yes, cli, ...argv] = line.split(' ');
    expect([npx, yes, cli]).toEqual(['npx', '--yes', '"$UPTIME_SITE_URL/cli.tgz"']);
    const { exit, output } = await uptimeIn(join(examples, 'ci'), argv);
    expect(exit, output).toBe(0);
    counts.push(await count());
  }
  expect(counts).toEqual([0, 2]);
});

test('every line of examples/cron/crontab reports its job', async () => {
  await uptime('monitors', 'apply', '-f', join(examples, 'cron/monitors.yaml'), '--yes');
  const sync = (await monitors()).find((monitor) => monitor.key === 'sync')!;
  const lines = readFileSync(join(examples, 'cron/crontab'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toHaveLength(4);
  putPrograms();
  for (const line of lines) {
    const command = line.split(/\s+/).slice(5).join(' ');
    const watched = command.includes('nightly-backup') ? 'nightly-backup' : 'sync';
    const before = await lastPing(watched);
    await program('/bin/sh', ['-c', command], {
      env: {
        PATH: scratch,
        HOME: scratch,
        UPTIME_SITE_URL: daemon.url,
        UPTIME_API_KEY: daemon.apiKey,
        SYNC_PING_URL: sync.pingUrl,
      },
    });
    expect(await lastPing(watched), line).not.toBe(before);
  }
  const metrics = await daemon.request('GET', `/api/monitors/${sync.id}/heartbeat-metrics`);
  expect(metrics.body).toMatchObject([{ metrics: { rows: 1200 } }]);
});

test.each([
  ['watch-a-shop.ts', /^Shop is up \(\d+ ms\)\n$/],
  ['ping-from-a-job.ts', /^Imported 1200 rows\.\n$/],
  ['uptime-report.ts', /^(Shop|Import|.+)\t(up|pending)\t/m],
])('examples/sdk/%s runs unchanged', async (name, expected) => {
  const { stdout } = await program(process.execPath, ['--conditions=x-source', join(examples, 'sdk', name)], {
    env: { UPTIME_SITE_URL: daemon.url, UPTIME_API_KEY: daemon.apiKey, SHOP_URL: `${daemon.url}/healthz` },
  });
  expect(stdout).toMatch(expected);
});

test('the tests of this file run every example of examples/sdk', () => {
  expect(readdirSync(join(examples, 'sdk'))).toEqual(['ping-from-a-job.ts', 'uptime-report.ts', 'watch-a-shop.ts']);
});

/** The outcome of every check in this file: the target answers at once. */
const quiet = {
  verdict: 'up' as const,
  error: null,
  responseTime: 1,
  statusCode: 200,
  timings: null,
  certificate: null,
  trace: [],
};

interface Watched {
  id: string;
  key: string;
  pingUrl: string;
  lastPingAt: string | null;
}

async function monitors(): Promise<Watched[]> {
  return (await daemon.request('GET', '/api/monitors')).body as Watched[];
}

const count = async () => (await monitors()).length;
const lastPing = async (key: string) => (await monitors()).find((monitor) => monitor.key === key)?.lastPingAt;

const uptime = (...argv: string[]) => uptimeIn(scratch, argv);

/** Runs the command line in this process, against the test's daemon. */
async function uptimeIn(cwd: string, argv: string[]): Promise<{ exit: number; output: string }> {
  const sink = textSink();
  const env = { ...variables, UPTIME_SITE_URL: daemon.url, UPTIME_API_KEY: daemon.apiKey, UPTIME_CONFIG_DIR: scratch };
  const exit = await run(argv, createContext({ stdin: Readable.from([]), stdout: sink, stderr: sink, env, cwd }));
  return { exit, output: sink.text() };
}

/** Fills a folder with the programs that the crontab uses: the jobs, the command line, and a minimal curl. */
function putPrograms(): void {
  const put = (name: string, code: string) => writeFileSync(join(scratch, name), code, { mode: 0o755 });
  put('backup', '#!/bin/sh\n');
  put('sync', '#!/bin/sh\n');
  put('uptime', `#!/bin/sh\nexec ${[process.execPath, ...testProgram('uptime')].join(' ')} "$@"\n`);
  // The machine may have no curl. This replacement supports the options that the example uses.
  put('curl.mjs', curl);
  put('curl', `#!/bin/sh\nexec ${process.execPath} ${join(scratch, 'curl.mjs')} "$@"\n`);
}

const curl = `
import { parseArgs } from 'node:util';
const text = { type: 'string' };
const { values, positionals: [url] } = parseArgs({ allowPositionals: true, options: {
  f: { type: 'boolean', short: 'f' }, s: { type: 'boolean', short: 's' }, S: { type: 'boolean', short: 'S' },
  m: { ...text, short: 'm' }, o: { ...text, short: 'o' }, d: { ...text, short: 'd' }, retry: text,
} });
const headers = { 'content-type': 'application/x-www-form-urlencoded' };
const answer = await fetch(url, values.d === undefined ? {} : { method: 'POST', headers, body: values.d });
process.exitCode = answer.ok ? 0 : 22;
`;
