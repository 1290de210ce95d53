import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { createContext, run } from '../packages/cli/src/index.ts';
import { createTestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';
import { type Measurement, median, report } from './measurement.ts';

const monitors = 1000;
const rounds = 7;
/** The number of simultaneous requests: the default of the CLI. */
const concurrency = 8;

interface Server {
  url: string;
  projects: { id: string; apiKey: string }[];
}

if (process.argv[2] === 'daemon') await serveDaemon();

/**
 * Measures how long the CLI takes to apply 1,000 new monitors, and to apply them again without changes. The daemon runs
 * in another process. For comparison, plain node:http sends the same requests to another project, with the same number
 * of simultaneous requests.
 */
export async function benchApply(): Promise<Measurement[]> {
  const daemon = fork(import.meta.filename, ['daemon']);
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  try {
    const [server] = (await once(daemon, 'message')) as [Server];
    const items = Array.from({ length: monitors }, (_, i) => itemOf(i));
    const file = join(folder, 'monitors.yaml');
    await writeFile(file, `monitors:\n${items.map((item) => `  - ${JSON.stringify(item)}\n`).join('')}`);

    const took: Took = { fresh: [], bareFresh: [], again: [], bareAgain: [] };
    let requests = 0;
    for (let round = 0; round < rounds; round++) {
      const [ours, theirs] = [server.projects.pop()!, server.projects.pop()!];
      const bare = (method: string, path: string, body?: unknown) =>
        send(agent, server.url + path, { method, apiKey: theirs.apiKey, body });
      const apply = () => applied(file, server.url, ours.apiKey);
      took.bareFresh.push(
        await timed(async () => {
          await bare('GET', '/api/monitors?limit=1000');
          await atOnce(items, (item) => bare('POST', '/api/monitors', item));
        }),
      );
      took.fresh.push(await timed(apply));
      took.bareAgain.push(await timed(() => bare('GET', '/api/monitors?limit=1000')));
      took.again.push(await timed(async () => void (requests = await apply())));
    }
    return measurementsOf(took, requests);
  } finally {
    agent.destroy();
    daemon.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The milliseconds that each kind of work took, one entry for each round. */
type Took = Record<'fresh' | 'bareFresh' | 'again' | 'bareAgain', number[]>;

function measurementsOf(took: Took, requests: number): Measurement[] {
  const ratio = (a: keyof Took, b: keyof Took) => median(took[a].map((value, round) => value / took[b][round]!));
  const ms = (what: keyof Took) => `${median(took[what]).toFixed(0)} ms`;
  return [
    {
      name: `apply of ${monitors} monitors afresh`,
      value: ratio('fresh', 'bareFresh'),
      unit: '× its bare requests',
      detail: `${ms('fresh')} against ${ms('bareFresh')} for ${monitors + 1} requests, ${concurrency} at once`,
    },
    {
      name: `apply of ${monitors} unchanged monitors`,
      value: ratio('again', 'bareAgain'),
      unit: '× its bare requests',
      detail: `${ms('again')} against ${ms('bareAgain')}`,
    },
    {
      name: 'requests of an apply that changes nothing',
      value: requests,
      unit: 'requests',
      bar: { maxValue: 10 },
      detail: `with ${monitors} monitors`,
    },
  ];
}

const itemOf = (i: number) => ({
  key: `m${i}`,
  name: `Monitor ${i}`,
  type: 'ping',
  host: `m${i}.example`,
  paused: true,
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Runs `uptime apply --yes` in this process, and returns how many requests it sent. */
async function applied(file: string, siteUrl: string, apiKey: string): Promise<number> {
  let requests = 0;
  let printed = '';
  const sink = () =>
    new Writable({
      write(chunk, _encoding, done) {
        printed += String(chunk);
        done();
      },
    });
  const context = createContext({
    env: { UPTIME_SITE_URL: siteUrl, UPTIME_API_KEY: apiKey, UPTIME_CONFIG_DIR: tmpdir() },
    cwd: tmpdir(),
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(),
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  const exit = await run(['apply', '-f', file, '--yes'], context);
  if (exit !== 0) throw new Error(`apply ended with exit code ${exit}:\n${printed.slice(0, 2000)}`);
  return requests;
}

async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function send(
  agent: Agent,
  url: string,
  { method, apiKey, body }: { method: string; apiKey: string; body: unknown },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { 'x-api-key': apiKey, ...(text !== undefined && { 'content-type': 'application/json' }) };
    const sent = httpRequest(url, { agent, method, headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200 || answer.statusCode === 201) resolve();
        else reject(new Error(`${method} ${url} returned ${answer.statusCode}`));
      });
    });
    sent.on('error', reject).end(text);
  });
}

async function serveDaemon(): Promise<void> {
  const daemon = await createTestDaemon();
  const projects: Server['projects'] = [];
  for (let i = 0; i < rounds * 2; i++) {
    const { body } = await daemon.request('POST', '/api/projects', { name: `p${i}` }, { cookie: daemon.cookie });
    projects.push(body as Server['projects'][number]);
  }
  process.once('SIGTERM', () => void daemon.close().then(() => process.exit()));
  process.send?.({ url: daemon.url, projects } satisfies Server);
}

if (import.meta.main && process.argv[2] === undefined) report(await benchApply());
