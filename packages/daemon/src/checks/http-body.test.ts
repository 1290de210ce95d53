import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type HttpTarget, httpTarget, monitorOf, testContext } from '../testing/targets/index.ts';
import * as answers from '../testing/targets/http.ts';
import { checkHttp } from './http.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const context = testContext();

const check = (url: string, fields: object = {}) =>
  checkHttp(monitorOf({ type: 'http', url, timeout: 5, ...fields }), context);

describe('a body', () => {
  test('a body must contain the expected text', async () => {
    await using target = await httpTarget(answers.status(200, 'hello world'));
    expect(await check(target.url, { bodyContains: 'o w' })).toMatchObject({ verdict: 'up' });
    expect(await check(target.url, { bodyContains: 'O W' })).toMatchObject({
      verdict: 'down',
      statusCode: 200,
      error: { code: 'http_body_mismatch' },
    });
  });

  test.each(['gzip', 'deflate', 'bare-deflate', 'br', 'zstd'] as const)(
    'a body in %s is decoded, and fails as http_decode if it ends too early',
    async (encoding) => {
      const text = Array.from({ length: 500 }, (_, i) => `line ${i * 7919}`).join('\n');
      await using whole = await httpTarget(answers.compressed(encoding, text));
      expect(await check(whole.url, { bodyContains: 'line 7919' })).toMatchObject({ verdict: 'up' });
      await using cut = await httpTarget(answers.compressed(encoding, text, 12));
      expect(await check(cut.url, { bodyContains: 'not there' })).toMatchObject({
        verdict: 'down',
        error: { code: 'http_decode' },
      });
      // The zstd body is a single block, which cannot be decoded before it is complete.
      if (encoding !== 'zstd')
        expect(await check(cut.url, { bodyContains: 'line 7919' })).toMatchObject({ verdict: 'up' });
    },
  );

  test.each(['gzip', 'deflate', 'br', 'zstd', 'nonsense'])(
    'a body that is not in %s, although its header says so, fails as http_decode',
    async (encoding) => {
      await using target = await httpTarget(answers.corrupt(encoding));
      expect(await check(target.url, { bodyContains: 'x' })).toMatchObject({
        verdict: 'down',
        error: { code: 'http_decode' },
      });
      expect(await check(target.url)).toMatchObject({ verdict: 'up' });
    },
  );

  test('a body that is late causes a checker fault if a decoder is slow, and a timeout if the target stops sending', async () => {
    const text = 'x'.repeat(100_000);
    await using whole = await httpTarget(answers.compressed('br', text));
    const waits = () => {};
    const decoders = [
      new Transform({ transform: waits }),
      new Transform({ transform: (_chunk, _encoding, done) => done(), flush: waits }),
    ];
    const outcomes = await Promise.all(
      decoders.map((decoder) => {
        const busy = { ...context, brotli: () => decoder };
        return checkHttp(monitorOf({ type: 'http', url: whole.url, timeout: 5, bodyContains: 'x' }), busy);
      }),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ verdict: 'internal' });
    for (const decoder of decoders) expect(decoder.destroyed).toBe(true);
    await using stopping = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).write(brotliCompressSync(text).subarray(0, 10));
    });
    expect(await check(stopping.url, { timeout: 3, bodyContains: 'nothing' })).toMatchObject({
      verdict: 'down',
      error: { code: 'timeout' },
    });
  });

  test('a body without bytes is read as an empty text, whatever encoding its header names', async () => {
    await using target = await httpTarget(answers.status(200, '', { 'content-encoding': 'gzip' }));
    expect(await check(target.url, { bodyContains: 'x' })).toMatchObject({ error: { code: 'http_body_mismatch' } });
  });

  test('a body is read up to 1 MiB, even if it decompresses to much more', async () => {
    await using target = await httpTarget(
      answers.routes({
        '/within': answers.status(200, `${'a'.repeat(1024 * 1024 - 3)}end`),
        '/beyond': answers.status(200, `${'a'.repeat(1024 * 1024)}end`),
        '/bomb': answers.bomb(64),
      }),
    );
    expect(await check(`${target.url}/within`, { bodyContains: 'end' })).toMatchObject({ verdict: 'up' });
    expect(await check(`${target.url}/beyond`, { bodyContains: 'end' })).toMatchObject({
      error: { code: 'http_body_mismatch' },
    });
    const before = process.memoryUsage().rss;
    expect(await check(`${target.url}/bomb`, { bodyContains: 'aaa' })).toMatchObject({ verdict: 'up' });
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  test('a body is decoded by the charset of its header, its byte order mark or its meta tag', async () => {
    const cases: [Buffer, string][] = [
      [Buffer.from('grüße', 'latin1'), 'text/plain; charset=ISO-8859-1'],
      [Buffer.from('\ufeffgrüße', 'utf16le'), 'text/plain; charset=utf-8'],
      [Buffer.from('<meta charset="windows-1252">grüße', 'latin1'), 'text/html'],
      [Buffer.from('grüße'), 'text/plain'],
      [Buffer.from('grüße'), 'text/plain; charset=no-such-thing'],
    ];
    for (const [body, type] of cases) {
      await using target = await httpTarget((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(body);
      });
      expect(await check(target.url, { bodyContains: 'grüße' }), type).toMatchObject({ verdict: 'up' });
    }
  });

  const text = `<p>${'ü'.repeat(200)} all is well</p>`;
  const wanted = { bodyContains: 'ü all is well', timeout: 10 };
  type Compress = (bytes: Buffer) => Buffer;
  /** Functions that compress the start of a body. They flush the stream without ending it. */
  const flushed = {
    gzip: (bytes) => gzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    deflate: (bytes) => deflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    br: (bytes) => brotliCompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    zstd: (bytes) => zstdCompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }),
  } satisfies Record<string, Compress>;
  const encodedStart =
    (encoding: string, ...stages: Compress[]) =>
    (request: IncomingMessage) => {
      request.socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\n\r\n`);
      request.socket.write(stages.reduce<Buffer>((bytes, compress) => compress(bytes), Buffer.from(text)));
    };
  const starts = {
    identity: (request: IncomingMessage) => request.socket.write('HTTP/1.1 200 OK\r\n\r\n' + text),
    'too long a content-length': (request: IncomingMessage) =>
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n' + text),
    gzip: encodedStart('gzip', flushed.gzip),
    deflate: encodedStart('deflate', flushed.deflate),
    br: encodedStart('br', flushed.br),
    zstd: encodedStart('zstd', flushed.zstd),
    'gzip, br': encodedStart('gzip, br', flushed.gzip, flushed.br),
  };
  test.each(Object.entries(starts))(
    'a body (%s) passes as soon as the expected text is found, whatever follows the text',
    async (_name, start) => {
      const targets: HttpTarget[] = [];
      const checked: Promise<unknown>[] = [];
      for (const end of ['hang', 'reset', 'close']) {
        const target = await httpTarget((request) => {
          start(request);
          if (end === 'reset') setTimeout(() => request.socket.resetAndDestroy(), 20);
          if (end === 'close') setTimeout(() => request.socket.destroy(), 20);
        });
        targets.push(target);
        checked.push(check(target.url, wanted));
      }
      const outcomes = await Promise.all(checked);
      await Promise.all(targets.map((target) => target.close()));
      for (const outcome of outcomes) expect(outcome).toMatchObject({ verdict: 'up', statusCode: 200 });
    },
  );

  test('a body is not read further after the expected text was found', async () => {
    for (const encoding of ['identity', 'gzip'] as const) {
      await using target = await httpTarget((request) => void starts[encoding](request));
      const waiting = startWaiting();
      expect(await check(target.url, { ...wanted, timeout: 30 })).toMatchObject({ verdict: 'up' });
      expect(waiting.ms()).toBeLessThan(boundMs(1000));
    }
  });

  test('a body that breaks off fails as http_incomplete, with and without an expected text', async () => {
    for (const answer of [answers.truncated, answers.truncatedChunks]) {
      await using target = await httpTarget(answer);
      expect(await check(target.url, { bodyContains: 'text' })).toMatchObject({ error: { code: 'http_incomplete' } });
      expect(await check(target.url)).toMatchObject({ error: { code: 'http_incomplete' } });
    }
  });

  test('a body that never ends passes if no text is expected, and fails as timeout if a text is expected', async () => {
    await using target = await httpTarget(answers.drip);
    expect(await check(target.url)).toMatchObject({ verdict: 'up' });
    expect(await check(target.url, { bodyContains: 'x', timeout: 3 })).toMatchObject({ error: { code: 'timeout' } });
  });
});
