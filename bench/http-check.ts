/**
 * CPU per http and https check against a bare request with a fresh connection, side by side: interleaved rounds, the
 * median of the ratios. Run: node --conditions=x-source bench/http-check.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { createServer as createTlsServer, get as getTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { runCheck } from '../packages/daemon/src/checks/index.ts';
import { makeCertificate } from '../packages/daemon/src/testing/targets/certificates.ts';
import { monitorOf, testContext } from '../packages/daemon/src/testing/targets/check-context.ts';

const rounds = 7;
const atOnce = 16;

if (process.argv[2] === 'targets') await serve();
else await measure();

/** The targets run in a process of their own, so that their CPU time is not counted. */
async function serve(): Promise<void> {
  const { cert, key } = await makeCertificate();
  const plain = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  const secure = createTlsServer({ cert, key }, (_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  process.send?.({ http: portOf(plain), https: portOf(secure), cert });
}

async function measure(): Promise<void> {
  const targets = fork(import.meta.filename, ['targets']);
  const [ports] = (await once(targets, 'message')) as [{ http: number; https: number; cert: string }];
  const context = testContext({ ca: ports.cert });
  const secureContext = createSecureContext({ ca: ports.cert });
  const checked = (url: string) => {
    const monitor = monitorOf({ type: 'http', url });
    return async () => {
      const { verdict, error } = await runCheck(monitor, context);
      if (verdict !== 'up') throw new Error(JSON.stringify(error));
    };
  };
  const bare = () =>
    new Promise<void>((resolve, reject) => {
      get({ host: '127.0.0.1', port: ports.http, agent: false }, (response) => {
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  const bareTls = () =>
    new Promise<void>((resolve, reject) => {
      getTls({ host: '127.0.0.1', port: ports.https, agent: false, secureContext, servername: '' }, (response) => {
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  try {
    await compare('http', 3000, bare, checked(`http://127.0.0.1:${ports.http}/`));
    await compare('https', 800, bareTls, checked(`https://127.0.0.1:${ports.https}/`));
  } finally {
    targets.kill();
  }
}

async function compare(name: string, count: number, bare: () => Promise<void>, check: () => Promise<void>) {
  await cpu(count, bare);
  await cpu(count, check);
  const results: { bare: number; check: number }[] = [];
  for (let round = 0; round < rounds; round++)
    results.push({ bare: await cpu(count, bare), check: await cpu(count, check) });
  const ratio = median(results.map((result) => result.check / result.bare));
  const us = (kind: 'bare' | 'check') => `${median(results.map((result) => result[kind])).toFixed(0)} µs`;
  console.log(`${name}: check ${us('check')}, bare request ${us('bare')}, ratio ${ratio.toFixed(2)}`);
}

/** Microseconds of CPU time per run. */
async function cpu(count: number, run: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  let started = 0;
  const lane = async () => {
    while (started++ < count) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const { user, system } = process.cpuUsage(from);
  return (user + system) / count;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
