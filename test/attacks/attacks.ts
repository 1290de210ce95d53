import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** The server to harm, and the account of the attacker. */
export interface Attacker {
  url: string;
  /** Sends a request with the key of the attacker's project, and returns the answer's body. */
  call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

/** Prepares an attack. The returned function continues it until the process ends. */
export type Attack = (attacker: Attacker) => Promise<() => Promise<void>>;

const mebibyte = 1024 * 1024;
/**
 * The attackers connect from this address, and the project that must not be harmed connects from another address. The
 * server closes idle connections of the address that has the most connections.
 */
const localAddress = '127.0.0.2';

/** For attacks that continue without more requests: the checks of their monitors do the harm. */
const idle = async () => {};

/** Monitors that search a body for a text. A simple search would take quadratic time. A body compresses to 1 KB. */
const quadraticSearch: Attack = async ({ call }) => {
  const body = gzipSync(Buffer.alloc(mebibyte, 'a'));
  const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
  const bodyContains = `${'a'.repeat(500)}b${'a'.repeat(9499)}`;
  await times(10, () => call('POST', '/api/monitors', { ...web(url), bodyContains }));
  return idle;
};

/** Pages whose compressed bodies decode to a megabyte and never end. */
const hangingBodies: Attack = async ({ call }) => {
  const body = gzipSync(Buffer.alloc(mebibyte, 'a')).subarray(0, -8);
  const url = await serve((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).write(body));
  await times(200, () => call('POST', '/api/monitors', { ...web(url), timeout: 60, bodyContains: 'nowhere' }));
  return idle;
};

/** Pings whose bodies are never sent completely. */
const unfinishedPings: Attack = async ({ url }) => {
  const head = `POST /ping/${'a'.repeat(32)} HTTP/1.1\r\nhost: x\r\ncontent-length: ${mebibyte}\r\n\r\n`;
  const part = Buffer.alloc(512 * 1024, 'a');
  return async () => {
    for (let sockets = 0; sockets < 500; sockets++) keepOpen(url, (socket) => socket.write(head) && socket.write(part));
  };
};

/** Monitors whose target accepts connections and never answers. */
const hangingPort: Attack = async ({ call }) => {
  const server = createTcpServer((socket) => void socket.resume().on('error', () => socket.destroy()));
  const url = await listen(server);
  await times(1000, () => call('POST', '/api/monitors', { ...web(url), interval: 5, timeout: 30 }));
  return idle;
};

/** Connections that stay open. Each sends one request, and then nothing. */
const idleConnections: Attack = async ({ url }) => {
  return async () => {
    for (let sockets = 0; sockets < 5000; sockets++) {
      keepOpen(url, (socket) => socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'));
      if (sockets % 100 === 0) await sleep(10);
    }
  };
};

/** A webhook with many long headers to a server that echoes them. */
const echoedSecrets: Attack = async ({ call }) => {
  const url = await serve((incoming, response) =>
    response.writeHead(400).end(JSON.stringify(incoming.headers).repeat(8)),
  );
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-${at}`, 'v'.repeat(150) + at]));
  const channel = await call('POST', '/api/notification-channels', {
    name: 'e',
    type: 'webhook',
    config: { url, headers },
  });
  const path = `/api/notification-channels/${(channel as { id: string }).id}/test`;
  return () => again(() => call('POST', path), 5);
};

/** Bodies of a megabyte that consist of unknown fields. */
const refusedBodies: Attack = async ({ call }) => {
  const names = Object.fromEntries(Array.from({ length: 70_000 }, (_, at) => [`name${at}`, 1]));
  return () => again(() => call('POST', '/api/monitors', names), 3);
};

/** Creates monitors whose bodies take 600 KB as JSON, again and again. */
const heavyMonitors: Attack = async ({ call }) => {
  const body = { ...web('http://127.0.0.1:1/'), interval: 3600, method: 'POST', body: '\u0001'.repeat(100_000) };
  return () => again(() => call('POST', '/api/monitors', body), 2);
};

/** Checks of monitors with the largest possible bodies, all due at once. */
const heavyChecks: Attack = async ({ call }) => {
  const url = await serve((incoming, response) => void incoming.resume().on('end', () => response.end()));
  const body = { ...web(url), method: 'POST', body: '\u0001'.repeat(100_000) };
  await times(60, () => call('POST', '/api/monitors', body));
  return idle;
};

/** A status page with many monitors and long incidents, read in every format. */
const heavyPage: Attack = async ({ call, url }) => {
  const monitorIds: string[] = [];
  await times(300, async () => {
    const created = await call('POST', '/api/monitors', { type: 'heartbeat', name: 'h', interval: 3600 });
    monitorIds.push((created as { id: string }).id);
  });
  const slug = `heavy-${process.pid}`;
  await call('POST', '/api/status-pages', { name: 'p', slug, monitorIds });
  const message = 'm'.repeat(10_000);
  await times(200, () => call('POST', '/api/incidents', { title: 't', message, status: 'investigating', monitorIds }));
  const read = (form: string) => get(`${url}/status/${slug}${form}`);
  return () => again(() => Promise.all(['', '.json', '/feed.atom', '/history'].map(read)), 5);
};

/** Channels whose receivers never answer, with alerts about jobs that fail and recover again and again. */
const hungChannels: Attack = async ({ call }) => {
  const url = await serve(() => {});
  const channelIds: string[] = [];
  await times(100, async () => {
    const created = await call('POST', '/api/notification-channels', { name: 'h', type: 'webhook', config: { url } });
    channelIds.push((created as { id: string }).id);
  });
  const jobs: string[] = [];
  await times(20, async () => {
    const created = await call('POST', '/api/monitors', { type: 'heartbeat', name: 'h', interval: 3600 });
    const { id, pingUrl } = created as { id: string; pingUrl: string };
    await call('POST', '/api/alert-rules', { name: 'r', trigger: 'monitor_down', monitorIds: [id], channelIds });
    jobs.push(pingUrl);
  });
  let turn = 0;
  return () => again(() => get(jobs[turn++ % jobs.length] + (turn % 40 < 20 ? '/fail' : '')), 10);
};

/** One job whose outages open an alert for each of 50 channels in each of ten rules: 500 alerts, the maximum. */
const manyAlerts: Attack = async ({ call }) => {
  const url = await serve((_, response) => response.end());
  const channelIds: string[] = [];
  await times(50, async () => {
    const created = await call('POST', '/api/notification-channels', { name: 'c', type: 'webhook', config: { url } });
    channelIds.push((created as { id: string }).id);
  });
  const created = await call('POST', '/api/monitors', { type: 'heartbeat', name: 'h', interval: 3600 });
  const { id, pingUrl } = created as { id: string; pingUrl: string };
  const rule = { name: 'r', trigger: 'monitor_down', monitorIds: [id], channelIds };
  await times(10, () => call('POST', '/api/alert-rules', rule));
  let turn = 0;
  return () => again(() => get(pingUrl + (turn++ % 2 === 0 ? '/fail' : '')), 2);
};

/** Every attack, by its name. */
export const attacks = {
  quadraticSearch,
  hangingBodies,
  unfinishedPings,
  hangingPort,
  idleConnections,
  echoedSecrets,
  refusedBodies,
  heavyMonitors,
  heavyChecks,
  heavyPage,
  hungChannels,
  manyAlerts,
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

const web = (url: string) => ({ type: 'http', name: 'm', url, interval: 5, timeout: 10 });

/**
 * Runs `work` this many times, ten at a time. Throws if the server refuses a request, because the attack would then be
 * incomplete.
 */
async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - done) }, () => work()));
}

/** Runs `work` in endless loops, `concurrency` of them at the same time, and ignores the results. */
async function again(work: () => Promise<unknown>, concurrency: number): Promise<void> {
  const loop = async () => {
    for (;;) {
      await work().catch(() => undefined);
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
}

/** Opens a connection. Half a second after the connection was closed, opens another connection. */
function keepOpen(url: string, begin: (socket: ReturnType<typeof connect>) => void): void {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }, () => begin(socket));
  socket.resume().on('error', () => socket.destroy());
  socket.on('close', () => setTimeout(() => keepOpen(url, begin), 500));
}

const serve = (answer: Parameters<typeof createServer>[1]) => listen(createServer(answer));

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Sends a GET from the attackers' local address, and drops the answer. */
function get(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { localAddress }, (answer) => answer.resume().on('error', reject).on('end', resolve))
      .on('error', reject)
      .end();
  });
}

/** Sends a request as JSON and returns the parsed answer. Throws if the server refuses the request. */
export function send(
  url: string,
  { method, body, headers }: { method: string; body?: unknown; headers: Record<string, string> },
): Promise<{ body: unknown; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { localAddress, method, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => void (text += part));
        answer.on('error', reject).on('end', () => {
          if (answer.statusCode! >= 300) return reject(new Error(`${answer.statusCode} ${text.slice(0, 200)}`));
          resolve({ body: text === '' ? undefined : JSON.parse(text), cookies: answer.headers['set-cookie'] ?? [] });
        });
      },
    );
    outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
