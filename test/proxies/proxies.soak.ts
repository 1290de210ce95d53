import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../packages/daemon/src/testing/targets/free-port.ts';
import { startTcpProxy } from '../../packages/daemon/src/testing/tcp-proxy.ts';
import { startDaemonProcess } from '../faults/daemon-process.ts';
import { startProgram } from '../running-program.ts';
import { type Proxy, proxies, type ProxyName } from './proxies.ts';

const requests = 10_000;
const connections = 60;
const delayMs = 30;
/**
 * How long connections are idle: just under 72 s, and just over 72 s. An earlier version closed idle connections after
 * 72 s, and proxies then lost requests.
 */
const idleTimesMs = [71_950, 72_950];

test.each(Object.keys(proxies) as ProxyName[])(
  'the proxy %s loses none of 10,000 requests over reused connections, and none after the connections were idle',
  async (name) => {
    const proxy: Proxy = proxies[name];
    await using daemon = await startDaemonProcess();
    const { pingUrl } = await daemon.monitor({ type: 'heartbeat' });
    const network = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(daemon.url()).port) });
    network.delay(delayMs);
    const folder = await mkdtemp(join(tmpdir(), `uptime-${name}-`));
    const listen = await freePort();
    const configFile = join(folder, 'config');
    await writeFile(configFile, proxy.config({ listen, upstream: network.port }, folder));
    const [file, ...args] = proxy.command(configFile, folder) as [string, ...string[]];
    const { PATH = '' } = process.env;
    const running = startProgram(file, args, {
      cwd: folder,
      env: { PATH: `${PATH}:/usr/sbin`, HOME: folder },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    try {
      await Promise.race([
        vi.waitFor(() => listens(listen), { timeout: 20_000 }),
        running.ended.then(
          () => Promise.reject(new Error(`${name} ended:\n${running.output()}`)),
          (cause: unknown) =>
            Promise.reject(new Error(`${name} did not start; \`apt-get install ${proxy.packageName}\``, { cause })),
        ),
      ]);
      const post = () => answered({ port: listen, path: new URL(pingUrl).pathname, agent });
      expect(await tally(requests, post)).toEqual({ 200: requests });
      for (const idleMs of idleTimesMs) {
        // The test is about connections that were idle for this long.
        await sleep(idleMs);
        expect(await tally(connections, post)).toEqual({ 200: connections });
      }
      // There were fewer connections than requests, so connections were reused.
      expect(network.accepted()).toBeLessThan(requests / 2);
    } finally {
      agent.destroy();
      // SIGTERM, because after SIGKILL the worker of nginx would still run. `end` fails if the proxy never started.
      await Promise.allSettled([running.end('SIGTERM')]);
      await network.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

const listens = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
    socket.on('error', reject);
  });

/** Returns the status of the answer to a POST, or the code of its error. */
const answered = (options: { port: number; path: string; agent: Agent }) =>
  new Promise<string>((resolve) => {
    const asking = request({ host: '127.0.0.1', method: 'POST', ...options }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    asking.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end();
  });

/** Sends `count` requests over all connections. Returns how often each outcome occurred. */
async function tally(count: number, post: () => Promise<string>): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const outcome = await post();
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return outcomes;
}
