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

const most = 2 * 1024 * 1024;
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

/** The output of a decoder, and the code of its failure. */
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

describe('a brotli stream', () => {
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
    ['with more bytes after its end, later', [whole, junk, Buffer.alloc(100_000)]],
    ['with another stream after it', [Buffer.concat([whole, whole])]],
  ])('%s decodes as in Node', async (_what, chunks) => {
    const { text: expected, failed } = await undo(createBrotliDecompress(), chunks);
    expect(failed).toBe('');
    expect(await undo(brotli(most), chunks)).toEqual({ text: expected, failed: '' });
  });

  test.each<[string, Buffer[]]>([
    ['without its end', [whole.subarray(0, -1)]],
    ['of one byte', [whole.subarray(0, 1)]],
    ['of no bytes', []],
    ['cut in the middle, in pieces', cut(whole.subarray(0, whole.length >> 1), 700)],
  ])('%s ends too early, as in Node', async (_what, chunks) => {
    expect((await undo(createBrotliDecompress(), chunks)).failed).toBe('Z_BUF_ERROR');
    expect((await undo(brotli(most), chunks)).failed).toBe('Z_BUF_ERROR');
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
  ])('%s is corrupt, as in Node', async (_what, chunks) => {
    expect((await undo(createBrotliDecompress(), chunks)).failed).toMatch(/^ERR_/);
    expect((await undo(brotli(most), chunks)).failed).toBe('ERR_BROTLI_CORRUPT');
  });

  test('that is corrupt is reported at once, before the rest arrives', async () => {
    const source = new PassThrough();
    source.write('this was never compressed by anything');
    expect((await undo(brotli(most), source)).failed).toBe('ERR_BROTLI_CORRUPT');
  });

  test('outputs about the wanted number of bytes, and ends', async () => {
    const { text: out, failed } = await undo(brotli(most), [bomb]);
    expect(failed).toBe('');
    expect(out.length).toBeGreaterThanOrEqual(most);
    expect(out.length).toBeLessThan(most + 128 * 1024);
  });

  test('that is long and decodes to nothing is not read to its end', async () => {
    // A block of metadata that claims 16 MiB.
    const metadata = function* () {
      yield Buffer.of(0xec, 0xff, 0xff, 0x7f);
      for (;;) yield Buffer.alloc(64 * 1024);
    };
    expect((await undo(brotli(most), metadata())).failed).toBe('http_decode');
  });
});

describe('brotli streams of any form', () => {
  test('share one decoder with bounded memory, and hold no memory after they are destroyed', async () => {
    const { memory } = initSync({ module: brotliBytes() });
    // A window of 16 MiB, which a decoder reserves with the first bytes.
    const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
    const pieces: Buffer[] = [];
    encoder.on('data', (piece: Buffer) => pieces.push(piece));
    encoder.write(text);
    await new Promise<void>((resolve) => encoder.flush(resolve));
    const open = Array.from({ length: 100 }, () => brotli(most));
    const arrived = open.map((stream) => new Promise<void>((resolve) => stream.once('data', () => resolve())));
    for (const stream of open) stream.write(Buffer.concat(pieces));
    await Promise.all(arrived);
    for (const stream of open) stream.destroy();
    expect((await undo(brotli(most), [whole])).text).toBe(text);
    expect(memory.buffer.byteLength).toBeLessThan(40 * 1024 * 1024);
  });

  test('hold the event loop for a few milliseconds only', async () => {
    // Measures processor time, so that other work on the machine does not count.
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
    const costly = undo(brotli(most), [costlyStream(1000)]);
    // A small body is decoded in between.
    expect((await undo(brotli(most), [whole])).text).toBe(text);
    await costly;
    watching = false;
    expect(longest).toBeLessThan(100);
  });

  test('that take too long are given up as a checker fault, because the machine may be slow', async () => {
    // A machine that is twenty times as slow.
    const slowly = createBrotli({ ...systemClock, monotonicMs: () => performance.now() * 20 });
    expect(await undo(slowly(most), [whole])).toEqual({ text, failed: '' });
    expect((await undo(slowly(most), [costlyStream(1000)])).failed).toBe('internal');
  });
});

describe('a body in br', () => {
  test('in several encodings is decoded', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync(text)));
    });
    expect(await check(target.url, { bodyContains: 'line 7919' })).toMatchObject({ verdict: 'up' });
  });

  test('that is a bomb is cut at 1 MiB', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end(bomb);
    });
    expect(await check(target.url, { bodyContains: 'b' })).toMatchObject({
      error: { code: 'http_body_mismatch', message: expect.stringContaining('(1048576 bytes read)') },
    });
  });

  test('reports its fault: cut short, corrupt, or empty', async () => {
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

  test('that ends too early, and whose length no header says, fails as http_incomplete', async () => {
    await using target = await httpTarget((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: br\r\nconnection: close\r\n\r\n');
      request.socket.end(whole.subarray(0, 300));
    });
    expect(await check(target.url, { bodyContains: 'x' })).toMatchObject({ error: { code: 'http_incomplete' } });
  });

  test('that arrives slowly is a timeout, and the check does not wait for its end', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' });
      response.write(whole.subarray(0, 300));
    });
    expect(await check(target.url, { bodyContains: 'x', timeout: 3 })).toMatchObject({ error: { code: 'timeout' } });
  });
});

/**
 * A stream whose metablocks take 462 bytes each, decode to one byte each, and are slow to decode. Each has a context
 * map of 16,384 entries, and each entry moves the last of 256 numbers to the front (RFC 7932, sections 7.3 and 9).
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
