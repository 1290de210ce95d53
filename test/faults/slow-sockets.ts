import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { boundMs, isExact } from '../../packages/daemon/src/testing/bound-ms.ts';
import { startDaemonProcess } from './daemon-process.ts';

/** The limits of the test: how long a ping may take, and how late a check may be. */
const bars = { pingP99Ms: 200, latenessMs: 1000 };
const pingsPerSecond = 50;
const intervalMs = 1000;

/** The first bytes that each kind of slow client sends. Then the client sends one byte each second, or nothing. */
const beginnings = [
  '',
  'GET /api/monitors HTTP/1.1\r\nhost: x\r\nx-slow: ',
  'POST /api/auth/sign-in/email HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
  `POST /ping/${'a'.repeat(32)} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`,
];

/**
 * Holds this many slow sockets open for this long. Opens another socket for each that the daemon closes. Meanwhile a
 * job pings and a monitor is checked each second. Asserts the limits for pings and checks, and returns the figures.
 */
export async function surviveSlowSockets(sockets: number, seconds: number): Promise<string> {
  await using daemon = await startDaemonProcess({ env: { UPTIME_LOG_LEVEL: 'info' } });
  const checks: number[] = [];
  const target = createServer((_, response) => {
    checks.push(performance.now());
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  await using slow = attack(Number(new URL(daemon.url()).port), sockets);
  try {
    const { port } = target.address() as AddressInfo;
    await daemon.monitor({ type: 'http', url: `http://127.0.0.1:${port}/`, interval: intervalMs / 1000 });
    const { pingUrl } = await daemon.monitor({ type: 'heartbeat' });
    await expect.poll(() => slow.open(), { timeout: 20_000 }).toBe(sockets);

    const times = await pingSteadily(pingUrl, seconds);
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
    const gaps = checks.slice(1).map((at, n) => at - checks[n]!);
    const lateness = Math.max(...gaps) - intervalMs;
    const figures = `${sockets} slow sockets for ${seconds} s (${slow.cut()} cut off): ping p99 ${p99.toFixed(1)} ms, ${gaps.length + 1} checks, at most ${lateness.toFixed(0)} ms late`;
    // There may be one check less, depending on where in the second the test begins.
    const minGaps = isExact() ? Math.floor((seconds * 1000) / intervalMs) - 1 : 1;
    expect(gaps.length, figures).toBeGreaterThanOrEqual(minGaps);
    expect(p99, figures).toBeLessThanOrEqual(boundMs(bars.pingP99Ms));
    expect(lateness, figures).toBeLessThanOrEqual(boundMs(bars.latenessMs));
    return figures;
  } finally {
    target.close();
    target.closeAllConnections();
  }
}

function attack(port: number, sockets: number) {
  const open = new Set<Socket>();
  let cut = 0;
  let over = false;
  const begin = (kind: number) => {
    const socket = connect(port, '127.0.0.1', () => {
      open.add(socket);
      socket.write(beginnings[kind]!);
    });
    socket.resume().on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      if (over) return;
      cut++;
      begin(kind);
    });
  };
  for (let n = 0; n < sockets; n++) begin(n % beginnings.length);
  let turn = 0;
  const dripping = setInterval(() => {
    turn++;
    // Each socket sends once a second, except those that send nothing.
    let n = 0;
    for (const socket of open) if (++n % 10 === turn % 10 && socket.bytesWritten > 0) socket.write('x');
  }, 100);
  return {
    open: () => open.size,
    cut: () => cut,
    async [Symbol.asyncDispose]() {
      over = true;
      clearInterval(dripping);
      for (const socket of open) socket.destroy();
    },
  };
}

/** Sends pings at a steady rate, half of them over separate connections. Returns how long each took, in ms. */
async function pingSteadily(url: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const underWay: Promise<number>[] = [];
  const ping = (kept: boolean) =>
    new Promise<number>((resolve, reject) => {
      const from = performance.now();
      request(url, { agent: kept ? agent : false }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - from);
          else reject(new Error(`A ping returned ${response.statusCode}.`));
        });
      })
        .on('error', reject)
        .end();
    });
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(seconds, (performance.now() - begun) / 1000) * pingsPerSecond;
      while (underWay.length < due) underWay.push(ping(underWay.length % 2 === 0));
      if (performance.now() - begun < seconds * 1000) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  const times = await Promise.all(underWay);
  agent.destroy();
  return times;
}
