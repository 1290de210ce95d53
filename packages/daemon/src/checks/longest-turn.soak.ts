import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureLongestTurn } from '../testing/longest-turn.ts';
import { monitorOf, testContext } from '../testing/targets/index.ts';
import { runCheck } from './index.ts';

/** Maximum processor time of one turn of the event loop. */
const maxTurnMs = 50;

/**
 * The script of a server with the largest and the oddest answers that a check reads. The server runs in a thread of its
 * own, so that its processor time is not measured with the checks' time.
 */
const target = `
  const { createServer } = require('node:http');
  const { gzipSync, deflateSync, brotliCompressSync } = require('node:zlib');
  const { parentPort } = require('node:worker_threads');
  const mebibyte = 1024 * 1024;
  const as = Buffer.alloc(mebibyte, 'a');
  const odd = Buffer.from(Array.from({ length: mebibyte }, (_, at) => (at * 7919) % 256));
  const lines = Buffer.alloc(mebibyte, '\\n');
  const kana = Buffer.alloc(mebibyte, Buffer.from([0x82, 0xa0]));
  const packed = { gzip: gzipSync(as), deflate: deflateSync(as), br: brotliCompressSync(as) };
  const type = (charset) => ({ 'content-type': 'text/html; charset=' + charset });
  const cookies = Array.from({ length: 900 }, (_, at) => 'c' + at + '=' + at + '; Path=/');
  const answers = {
    '/plain': (r) => r.end(as),
    '/odd': (r) => r.end(odd),
    '/lines': (r) => r.end(lines),
    '/gzip': (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.gzip),
    '/deflate': (r) => r.writeHead(200, { 'content-encoding': 'deflate' }).end(packed.deflate),
    '/br': (r) => r.writeHead(200, { 'content-encoding': 'br' }).end(packed.br),
    '/no-gzip': (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(odd),
    '/utf-16': (r) => r.writeHead(200, type('utf-16le')).end(odd),
    '/shift-jis': (r) => r.writeHead(200, type('shift_jis')).end(kana),
    '/no-charset': (r) => r.writeHead(200, type('nonsense'.repeat(500))).end(odd),
    '/large-header': (r) => r.writeHead(200, { 'x-large': 'a'.repeat(100_000) }).end(),
    '/cookies': (r) => r.writeHead(302, { location: '/cookies', 'set-cookie': cookies }).end(),
    '/reason': (r) => r.writeHead(500, 'x'.repeat(10_000)).end(odd),
    '/small-pieces': (r) => {
      for (let at = 0; at < 20_000; at++) r.write('a');
      r.end();
    },
  };
  const server = createServer({ maxHeaderSize: mebibyte }, (q, r) => answers[q.url](r));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port, paths: Object.keys(answers) }));
`;

let worker: Worker;
let served: { port: number; paths: string[] };
beforeAll(async () => {
  worker = new Worker(target, { eval: true });
  [served] = (await once(worker, 'message')) as [typeof served];
});
afterAll(() => worker.terminate());

test('checks of large and odd answers never block the event loop for 50 ms, whatever text they search for', async () => {
  const context = testContext();
  const texts = ['a', 'nowhere', `${'a'.repeat(500)}b${'a'.repeat(9499)}`, 'あ'.repeat(3000)];
  let longest = { ms: 0, of: '' };
  for (const path of served.paths) {
    for (const bodyContains of texts) {
      const monitor = monitorOf({
        type: 'http',
        url: `http://127.0.0.1:${served.port}${path}`,
        timeout: 20,
        bodyContains,
      });
      const { turnMs, result } = await measureLongestTurn(() => runCheck(monitor, context));
      expect(['up', 'down'], path).toContain(result.verdict);
      if (turnMs > longest.ms) longest = { ms: turnMs, of: `${path} with ${bodyContains.slice(0, 20)}` };
    }
  }
  console.log(`the longest turn took ${longest.ms.toFixed(1)} ms of processor time, by ${longest.of}`);
  expect(longest.ms, longest.of).toBeLessThan(maxTurnMs);
});
