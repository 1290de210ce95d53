import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, get as getTls } from 'node:https';
import { type AddressInfo, BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { createCheckContext, runCheck } from '../packages/daemon/src/checks/index.ts';
import { systemClock } from '../packages/daemon/src/deps.ts';
import { startEngine } from '../packages/daemon/src/engine/engine.ts';
import { noRegistry, neverCalled } from '../packages/daemon/src/testing/never-called.ts';
import { initMonitor } from '../packages/daemon/src/lifecycle/monitor-life.ts';
import { createPingRecorder } from '../packages/daemon/src/recording/ping-recorder.ts';
import { fieldColumns } from '../packages/daemon/src/stored-monitors/stored-monitor.ts';
import { createSteadyClock } from '../packages/daemon/src/steady-clock.ts';
import { openStore } from '../packages/daemon/src/store/open-store.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import { makeCertificate } from '../packages/daemon/src/testing/targets/certificates.ts';
import { validateMonitor } from '../packages/sdk/src/contract/index.ts';
import { cpuPerUnit, type Measurement, ratioOf, report } from './measurement.ts';
import { testVault } from '../packages/daemon/src/testing/test-vault.ts';
import { allResults } from '../packages/daemon/src/testing/all-results.ts';

const rounds = 5;
const seconds = 4;
const log = { debug() {}, info() {}, warn: console.warn, error: console.error };

if (process.argv[2] === 'targets') await serveTargets();

/** Starts the targets. They run in another process, so that their CPU time is not part of the measured time. */
async function serveTargets(): Promise<void> {
  const { cert, key } = await makeCertificate();
  const plain = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  const secure = createTlsServer({ cert, key }, (_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  process.send?.({ http: portOf(plain), https: portOf(secure), cert });
}

/**
 * Compares the CPU time of a whole check with that of a bare request on a new connection. A whole check includes the
 * claim of the check, the timing of its phases, the verdict and the storage of the result. Both run alternately in one
 * process, at the same rate.
 */
export async function benchChecks(): Promise<Measurement[]> {
  const targets = fork(import.meta.filename, ['targets']);
  const [given] = (await once(targets, 'message')) as [{ http: number; https: number; cert: string }];
  const secureContext = createSecureContext({ ca: given.cert });
  const bare = (url: string) => () =>
    new Promise<void>((resolve, reject) => {
      const { protocol, hostname, port } = new URL(url);
      const drained = (response: IncomingMessage) => void response.resume().on('end', resolve);
      const request =
        protocol === 'https:'
          ? getTls(
              { createConnection: () => connectTls({ host: hostname, port: Number(port), secureContext }) },
              drained,
            )
          : get(url, { agent: false }, drained);
      request.on('error', reject);
    });
  try {
    const http = `http://127.0.0.1:${given.http}/`;
    const https = `https://127.0.0.1:${given.https}/`;
    return [
      await compare('CPU per http check, all included', http, 2000, 2.2, bare(http), given.cert),
      await compare('CPU per https check, all included', https, 300, 1.3, bare(https), given.cert),
    ];
  } finally {
    targets.kill();
  }
}

async function compare(
  name: string,
  url: string,
  monitors: number,
  maxValue: number,
  bare: () => Promise<void>,
  ca: string,
): Promise<Measurement> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const store = await openStore({ dataDir, log });
  await fill(store, url, monitors);
  const secureContext = createSecureContext({ ca });
  const context = {
    ...createCheckContext({ clock: systemClock, dnsServers: [], targets: 'all' }),
    secureContext: () => secureContext,
    blockList: new BlockList(),
  };
  const deps = { clock: createSteadyClock(systemClock), log, random: Math.random };
  const pings = createPingRecorder(store, deps.clock, () => {});
  const count = async () => (await allResults(store)).length;
  const engineRound = async () => {
    const engine = await startEngine(deps, {
      store,
      vault: testVault(),
      region: 'default',
      pings,
      notifier: neverCalled,
      readRegistration: noRegistry,
      rawRetentionDays: 30,
      onTransition: () => {},
      runCheck: (fields, signal) => runCheck(fields, context, { signal }),
    });
    // The checks that are already due at the start run during this wait. Later checks run when the schedule says.
    await sleep(1500);
    const cost = await cpuPerUnit(async () => {
      const before = await count();
      await sleep(seconds * 1000);
      return (await count()) - before;
    });
    await engine.stop();
    return cost;
  };
  const bareRound = () => bareCost(monitors, bare);
  try {
    await bareRound();
    await engineRound();
    const { ratio, ours, theirs } = await ratioOf(rounds, engineRound, bareRound);
    return {
      name,
      value: ratio,
      unit: '× a bare request',
      bar: { maxValue },
      detail: `${monitors} a second: ${ours.toFixed(0)} µs against ${theirs.toFixed(0)} µs`,
    };
  } finally {
    await pings.close();
    await store.close();
    await rm(dataDir, { recursive: true });
  }
}

/**
 * Returns the CPU time of a bare request, sent at the rate of the checks. A loop at full speed would always find the
 * caches of the processor warm, which never happens in monitoring.
 */
const bareCost = (monitors: number, bare: () => Promise<void>) =>
  cpuPerUnit(async () => {
    const total = monitors * seconds;
    const from = performance.now();
    const all: Promise<void>[] = [];
    while (all.length < total) {
      const due = Math.min(total, ((performance.now() - from) * monitors) / 1000);
      while (all.length < due) all.push(bare());
      await sleep(1);
    }
    await Promise.all(all);
    return total;
  });

async function fill(store: Store, url: string, monitors: number): Promise<void> {
  const parsed = validateMonitor({ type: 'http', name: 'target', url, interval: 1 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const fields = parsed.value;
  await store.write(async (trx) => {
    await trx.insertInto('region').values({ name: 'default', seen_at: 1 }).execute();
    await trx
      .insertInto('project')
      .values({ id: 'prj', user_id: 'u', name: 'p', api_key: 'k', created_at: 0, updated_at: 0 })
      .execute();
    for (let i = 0; i < monitors; i++) {
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id: `mon_${i}`,
          project_id: 'prj',
          ...fieldColumns(fields),
          generation: 0,
          token: null,
          created_at: 0,
          updated_at: 0,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields, now: Date.now() });
    }
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

if (import.meta.main && process.argv[2] !== 'targets') report(await benchChecks());
