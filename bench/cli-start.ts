import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measurement, median, report } from './measurement.ts';

const rounds = 15;

/**
 * Measures how long the built CLI takes to print its version, to print the help of a command, and to send a ping.
 * Compares each duration with that of an empty program in the same Node. Each round runs the empty program and the
 * three commands one after another. Then the round measures the request of the ping in this process, which is already
 * running. The time of this request is subtracted from the duration of the ping.
 */
export async function benchCliStart(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const server = createServer((request, response) => {
    request.resume();
    response.end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/abcdefghijklmnopqrstuv`;
    const program = await build(folder);
    const took: Record<'empty' | 'version' | 'help' | 'ping' | 'request', number[]> = {
      empty: [],
      version: [],
      help: [],
      ping: [],
      request: [],
    };
    // The first round only fills the file cache of the system. Its times are not used.
    for (let round = 0; round <= rounds; round++) {
      const one = {
        empty: await run(['-e', '0']),
        version: await run([program, '--version']),
        help: await run([program, 'monitors', 'list', '--help']),
        ping: await run([program, 'ping', url, '--metric', 'rows=12']),
        request: await requested(url),
      };
      if (round > 0) for (const what of Object.keys(one) as (keyof typeof one)[]) took[what].push(one[what]);
    }
    const ratio = (value: (round: number) => number) => median(took.empty.map((base, round) => value(round) / base));
    const ms = (what: keyof typeof took) => `${median(took[what]).toFixed(1)} ms`;
    return [
      {
        name: 'uptime --version',
        value: ratio((round) => took.version[round]!),
        unit: '× node -e 0',
        bar: { maxValue: 1.25 },
        detail: `${ms('version')} against ${ms('empty')}`,
      },
      {
        name: 'uptime monitors list --help',
        value: ratio((round) => took.help[round]!),
        unit: '× node -e 0',
        bar: { maxValue: 1.25 },
        detail: `${ms('help')} against ${ms('empty')}`,
      },
      {
        name: 'uptime ping, without the time of its request',
        value: ratio((round) => took.ping[round]! - took.request[round]!),
        unit: '× node -e 0',
        bar: { maxValue: 2 },
        detail: `${ms('ping')} with a request of ${ms('request')}, against ${ms('empty')}`,
      },
    ];
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the CLI as in a release, and returns the path of its entry file. */
async function build(folder: string): Promise<string> {
  const cli = fileURLToPath(new URL('../packages/cli/', import.meta.url));
  const tsup = fileURLToPath(new URL('../node_modules/tsup/dist/cli-default.js', import.meta.url));
  const dist = join(folder, 'dist');
  await run([tsup, '--silent', '--no-dts', '--out-dir', dist], cli);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return join(dist, 'uptime.js');
}

/** Runs Node with these arguments. Returns the milliseconds until its end. Throws if the process fails. */
async function run(args: readonly string[], cwd?: string): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended in ${code}`);
  return performance.now() - from;
}

/** Sends one request on a new connection. Returns the milliseconds until the end of the answer. */
async function requested(url: string): Promise<number> {
  const from = performance.now();
  const request = get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  response.resume();
  await once(response, 'end');
  return performance.now() - from;
}

if (import.meta.main) report(await benchCliStart());
