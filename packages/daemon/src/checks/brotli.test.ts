import { PassThrough, Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, createBrotliCompress, createBrotliDecompress, gzipSync } from 'node:zlib';
import { initSync } from 'brotli-dec-wasm/web';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { httpTarget, monitorOf, testContext } from '../testing/targets/index.ts';
import { createBrotli } from './brotli.ts';
import { brotliBytes } from './brotli-bytes.ts';
import { codeOf } from './failure.ts';
import { checkHttp } from './http.ts';

const maxBytes = 2 * 1024 * 1024;
const brotli = createBrotli(systemClock);
const context = testContext();
const check = (url: string, fields: object = {}) =>
  checkHttp(monitorOf({ type: 'http', url, timeout: 5, ...fields }), context);

const text = Array.from({ length: 5000 }, (_, i) => `line ${i * 7919}`).join('\n');
const whole = brotliCompressSync(text);
const bomb = brotliCompressSync(Buffer.alloc(8 * 1024 * 1024, 'a'));
const spoilt = Buffer.concat([whole.subarray(0, 3000), Buffer.alloc(9000, 0x5a)]);
const cut = (bytes: Buffer, length: number) =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) => bytes.subarray(i * length, (i + 1) * length));

/** Decodes chunks. Returns the output, and the code of the decoder's failure or an empty string. */
async function undo(decoder: Transform, chunks: Iterable<Buffer> | PassThrough) {
  const out: Buffer[] = [];
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      out.push(chunk);
      done();
    },
  });
  const failed = await pipeline(
    chunks instanceof PassThrough ? chunks : Readable.from(chunks, { objectMode: false }),
    decoder,
    collect,
  ).then(
    () => '',
    (error: unknown) => codeOf(error) || String(error),
  );
  return { text: String(Buffer.concat(out)), failed };
}

describe('the brotli decoder with one stream', () => {
  const junk = Buffer.from('junk');
  test.each<[string, Buffer[]]>([
    ['that is whole', [whole]],
    ['in pieces of a byte', cut(whole, 1)],
    ['in pieces of a kilobyte', cut(whole, 1024)],
    ['of an empty text', [brotliCompressSync('')]],
    ['whose output exceeds one piece', [brotliCompressSync(Buffer.alloc(1_000_000, 'a'))]],
    [
      'of poorly compressed bytes',
      cut(brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }), 1500),
    ],
    ['with more bytes after its end', [Buffer.concat([whole, junk])]],
    ['with more bytes that arrive after its end', [whole, junk, Buffer.alloc(100_000)]],
    ['with another stream after it', [Buffer.concat([whole, whole])]],
  ])("a brotli stream %s decodes to the same output as with Node's decoder", async (_what, chunks) => {
    const { text: expected, failed } = await undo(createBrotliDecompress(), chunks);
    expect(failed).toBe('');
    expect(await undo(brotli(maxBytes), chunks)).toEqual({ text: expected, failed: '' });
  });

  test.each<[string, Buffer[]]>([
    ['without its end', [whole.subarray(0, -1)]],
    ['of one byte', [whole.subarray(0, 1)]],
    ['of no bytes', []],
    ['that ends in the middle, in pieces', cut(whole.subarray(0, whole.length >> 1), 700)],
  ])("a brotli stream %s fails because it ends too early, as with Node's decoder", async (_what, chunks) => {
    expect((await undo(createBrotliDecompress(), chunks)).failed).toBe('Z_BUF_ERROR');
    expect((await undo(brotli(maxBytes), chunks)).failed).toBe('Z_BUF_ERROR');
  });

  test.each<[string, Buffer[]]>([
    ['that is not a stream', [Buffer.from('this was never compressed by anything')]],
    ['that is overwritten in the middle', [spoilt]],
    [
      'that asks for a large window',
      [
        brotliCompressSync(text, {
          params: { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 30 },
        }),
      ],
    ],
  ])("a brotli stream %s fails as corrupt, as with Node's decoder", async (_what, chunks) => {
    expect((await undo(createBrotliDecompress(), chunks)).failed).toMatch(/^ERR_/);
    expect((await undo(brotli(maxBytes), chunks)).failed).toBe('ERR_BROTLI_CORRUPT');
  });

  test('a corrupt brotli stream fails at once, before the rest of the stream arrives', async () => {
    const source = new PassThrough();
    source.write('this was never compressed by anything');
    expect((await undo(brotli(maxBytes), source)).failed).toBe('ERR_BROTLI_CORRUPT');
  });

  test('the output of a brotli stream ends after about the maximum number of bytes', async () => {
    const { text: out, failed } = await undo(brotli(maxBytes), [bomb]);
    expect(failed).toBe('');
    expect(out.length).toBeGreaterThanOrEqual(maxBytes);
    expect(out.length).toBeLessThan(maxBytes + 128 * 1024);
  });

  test('a long brotli stream that decodes to nothing is not read to its end', async () => {
    // The first four bytes announce a metadata block of 16 MiB, which has no output.
    const metadata = function* () {
      yield Buffer.of(0xec, 0xff, 0xff, 0x7f);
      for (;;) yield Buffer.alloc(64 * 1024);
    };
    expect((await undo(brotli(maxBytes), metadata())).failed).toBe('http_decode');
  });
});

describe('the brotli decoder with several streams', () => {
  test('brotli streams share one decoder with bounded memory, and hold no memory after they are destroyed', async () => {
    const { memory } = initSync({ module: brotliBytes() });
    // The stream has a window of 16 MiB. A decoder reserves the window when it reads the first bytes.
    const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
    const pieces: Buffer[] = [];
    encoder.on('data', (piece: Buffer) => pieces.push(piece));
    encoder.write(text);
    await new Promise<void>((resolve) => encoder.flush(resolve));
    const open = Array.from({ length: 100 }, () => brotli(maxBytes));
    const arrived = open.map((stream) => new Promise<void>((resolve) => stream.once('data', () => resolve())));
    for (const stream of open) stream.write(Buffer.concat(pieces));
    await Promise.all(arrived);
    for (const stream of open) stream.destroy();
    expect((await undo(brotli(maxBytes), [whole])).text).toBe(text);
    expect(memory.buffer.byteLength).toBeLessThan(40 * 1024 * 1024);
  });

  test('brotli streams never block the event loop for 100 ms', async () => {
    // Measures processor time, because other work on the machine does not change it.
    const worked = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    };
    let longest = 0;
    let last = worked();
    let watching = true;
    const watch = () => {
      longest = Math.max(longest, worked() - last);
      last = worked();
      if (watching) setImmediate(watch);
    };
    watch();
    const costly = undo(brotli(maxBytes), [costlyStream(1000)]);
    // This small body is decoded before the costly one is finished.
    expect((await undo(brotli(maxBytes), [whole])).text).toBe(text);
    await costly;
    watching = false;
    expect(longest).toBeLessThan(100);
  });

  test('a brotli stream that takes too long to decode ends as a checker fault, because the machine may be slow', async () => {
    // A clock that is twenty times too fast stands for a machine that is twenty times as slow.
    const slowly = createBrotli({ ...systemClock, monotonicMs: () => performance.now() * 20 });
    expect(await undo(slowly(maxBytes), [whole])).toEqual({ text, failed: '' });
    expect((await undo(slowly(maxBytes), [costlyStream(1000)])).failed).toBe('internal');
  });
});

describe('a check of a body in br', () => {
  test('a body in br that was compressed with gzip first is decoded', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync(text)));
    });
    expect(await check(target.url, { bodyContains: 'line 7919' })).toMatchObject({ verdict: 'up' });
  });

  test('a body in br that decodes to more than 1 MiB is read only up to 1 MiB', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end(bomb);
    });
    expect(await check(target.url, { bodyContains: 'b' })).toMatchObject({
      error: { code: 'http_body_mismatch', message: expect.stringContaining('(1048576 bytes read)') },
    });
  });

  test('a check fails as http_decode if a body in br ends too early or is corrupt, and as http_body_mismatch if it is empty', async () => {
    for (const [body, error] of [
      [whole.subarray(0, 300), { code: 'http_decode', message: expect.stringContaining('it ends too early') }],
      [spoilt, { code: 'http_decode', message: expect.stringContaining('its bytes are corrupt') }],
      [Buffer.alloc(0), { code: 'http_body_mismatch' }],
    ] as const) {
      await using target = await httpTarget((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'br', 'content-length': body.length }).end(body);
      });
      expect(await check(target.url, { bodyContains: 'x' })).toMatchObject({ verdict: 'down', error });
    }
  });

  test('a body in br that ends too early fails as http_incomplete if no header says its length', async () => {
    await using target = await httpTarget((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: br\r\nconnection: close\r\n\r\n');
      request.socket.end(whole.subarray(0, 300));
    });
    expect(await check(target.url, { bodyContains: 'x' })).toMatchObject({ error: { code: 'http_incomplete' } });
  });

  test('a body in br whose end never arrives makes the check fail as timeout', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' });
      response.write(whole.subarray(0, 300));
    });
    expect(await check(target.url, { bodyContains: 'x', timeout: 3 })).toMatchObject({ error: { code: 'timeout' } });
  });
});

/**
 * Returns a brotli stream that is slow to decode. Each metablock takes 462 bytes and decodes to one byte. Its context
 * map has 16,384 entries, and each entry moves the last of 256 numbers to the front (RFC 7932, sections 7.3 and 9).
 */
function costlyStream(metablocks: number): Buffer {
  const bytes: number[] = [];
  let count = 0;
  const put = (value: number, bits: number) => {
    for (let i = 0; i < bits; i++, count++)
      bytes[count >> 3] = (bytes[count >> 3] ?? 0) | (((value >> i) & 1) << (count & 7));
  };
  const codeOfOne = (symbol: number, bits: number) => {
    put(1, 4);
    put(symbol, bits);
  };
  const two56 = () => put(0b1111111_111_1, 11);
  put(0, 1);
  for (let i = 0; i < metablocks; i++) {
    put(0, 20);
    two56();
    codeOfOne(0, 9);
    codeOfOne(0, 5);
    put(0, 2 + 1 + 1 + 6);
    for (let type = 0; type < 256; type++) put(0, 2);
    two56();
    put(0, 1);
    codeOfOne(255, 8);
    put(1, 1);
    put(0, 1);
    for (let tree = 0; tree < 256; tree++) codeOfOne(65, 8);
    codeOfOne(8, 10);
    codeOfOne(0, 6);
  }
  put(3, 2);
  return Buffer.from(bytes);
}
