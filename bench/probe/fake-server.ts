import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeOfDigest } from '../../packages/daemon/src/core/version-buckets.ts';
import {
  maxAssigned,
  probeProtocol,
  type ResultsAnswer,
  type ResultsCall,
  type SyncAnswer,
  type SyncCall,
} from '../../packages/daemon/src/probe-protocol.ts';

// Runs a server in a separate process. The server gives a probe as many monitors as the second argument says, and
// accepts the results.
const [target = '', monitors = '0', intervalSeconds = '60'] = process.argv.slice(2);
const all = Array.from({ length: Number(monitors) }, (_, index) => index + 1);
const region = { id: 1, name: 'bench' };
const firstAt = Date.now() + 3000;
let taken = 0;
let applied = 0;

async function sync(call: SyncCall): Promise<SyncAnswer> {
  const has = call.has.reduce((sum, digest) => sum + sizeOfDigest(digest), 0);
  const next = all.slice(has, has + maxAssigned);
  const begun = performance.now();
  if (next.length === 0) await sleep(call.waitMs);
  return {
    protocol: probeProtocol,
    now: Date.now(),
    keptMs: performance.now() - begun,
    region,
    applied,
    ask: [],
    unavailable: [],
    assignments: next.map((monitor) => ({
      monitor,
      generation: 0,
      updatedAt: 0,
      project: 'prj',
      dueAt: firstAt + ((monitor * 7919) % (Number(intervalSeconds) * 1000)),
      fields: { type: 'http', url: `${target}/${monitor}`, interval: Number(intervalSeconds) },
    })),
    removed: [],
  };
}

function take({ results }: ResultsCall): ResultsAnswer {
  taken += results.length;
  applied = Math.max(applied, ...results.map(({ seq }) => seq));
  return { protocol: probeProtocol, applied, ignored: 0 };
}

const server = createServer((request, response) => {
  const answer = async () => {
    const body: unknown = await json(request);
    const isSync = request.url?.endsWith('/sync');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isSync ? await sync(body as SyncCall) : take(body as ResultsCall)));
  };
  void answer();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', (message) => {
  if (message !== 'taken') return;
  process.send?.({ taken });
});
process.send?.({ port: (server.address() as AddressInfo).port });
