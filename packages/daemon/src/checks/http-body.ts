import type { IncomingMessage } from 'node:http';
import { type Transform, Writable, pipeline } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { CheckContext } from './check.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { note, type Run, spent } from './run.ts';
import { isTlsError, tlsFailure } from './tls-failure.ts';

/** Bytes of a decoded body that are read at most. */
export const bodyLimit = 1024 * 1024;
/** Without an interest in the body, this much of it is read, so that the target sees an orderly close. */
const drained = 64 * 1024;
const drainPatience = 250;
/** Encodings on top of each other, at most. */
const mostEncodings = 3;

const decoders: Record<string, (context: CheckContext) => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  // Twice the limit: what comes out may have to be decoded once more.
  br: ({ brotli }) => brotli(2 * bodyLimit),
  zstd: () => createZstdDecompress(),
};

/**
 * The body with its content encodings undone, up to 1 MiB: what is larger is cut at the limit while it is decoded.
 * Throws a CheckFailure.
 */
export function readBody(run: Run, response: IncomingMessage): Promise<Buffer> {
  const from = run.context.clock.monotonic();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    let undo: Transform[] = [];
    const settle = (failure: CheckFailure | null) => {
      if (settled) return;
      settled = true;
      run.deadline.interrupt = null;
      // Nothing more is decoded: a response that has ended ends none of them.
      for (const decoder of undo) decoder.destroy();
      spent(run, 'download', from);
      note(run, `read ${size} bytes of body`);
      if (failure) reject(failure);
      else resolve(Buffer.concat(chunks));
    };
    const collector = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const taken = chunk.subarray(0, bodyLimit - size);
        chunks.push(taken);
        size += taken.length;
        if (size < bodyLimit) return done();
        settle(null);
        response.destroy();
        done();
      },
    });
    const finished = (error?: Error | null) =>
      settle(error ? bodyFailure(error, response) : response.complete ? null : incomplete());
    run.deadline.interrupt = (why) => {
      // What has come and is not decoded waits for this process, not for the target.
      const came = response.complete || undo.some(({ writableLength }) => writableLength > 0);
      const behind = why === 'timeout' && came;
      settle(
        behind
          ? new CheckFailure('internal', 'the checker did not come to decode the body in time')
          : interrupted(why, 'timeout', `the body did not arrive within ${run.timeout} s`),
      );
      response.destroy();
    };
    if (run.deadline.over) {
      run.deadline.interrupt(run.deadline.over);
      return;
    }
    const encodings = encodingsOf(response);
    if (encodings.length === 0) {
      pipeline(response, collector, finished);
      return;
    }
    // The first bytes are looked at: none at all are an empty body, however it claims to be encoded.
    response.once('error', finished);
    response.once('readable', () => {
      const first = response.read() as Buffer | null;
      if (first) response.unshift(first);
      if (first) undo = encodings.map((name, i) => decoderOf(name, i === 0 ? first[0]! : zlibHeader, run.context));
      pipeline([response, ...undo, collector], finished);
    });
  });
}

/** The encodings to undo, the outermost first. */
function encodingsOf(response: IncomingMessage): string[] {
  const names = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostEncodings) throw new CheckFailure('http_decode', 'the body is encoded too many times over');
  const unknown = names.find((name) => !decoders[name]);
  if (unknown) throw new CheckFailure('http_decode', `the body's content encoding is not known: ${unknown}`);
  return names.toReversed();
}

/** `deflate` is zlib-wrapped by the standard and bare from some servers: its first byte tells. */
function decoderOf(name: string, firstByte: number, context: CheckContext): Transform {
  return name === 'deflate' && (firstByte & 0x0f) !== zlibHeader ? createInflateRaw() : decoders[name]!(context);
}

/** The compression method that a zlib header names in the low half of its first byte (RFC 1950). */
const zlibHeader = 8;

function bodyFailure(error: Error, response: IncomingMessage): CheckFailure {
  if (error instanceof CheckFailure) return error;
  const code = codeOf(error);
  if (isTlsError(error)) return tlsFailure(error, false);
  if (/^(Z_|ERR_|ZSTD_|BROTLI_|ERR__ERROR)/.test(code) && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
    const framed = 'content-length' in response.headers || 'transfer-encoding' in response.headers;
    if (code === 'Z_BUF_ERROR' && !framed) return incomplete();
    const how = response.headers['content-encoding'] ?? '';
    const why = code === 'Z_BUF_ERROR' ? 'it ends too early' : 'its bytes are corrupt';
    return new CheckFailure('http_decode', `the body does not decode as ${how}: ${why}`);
  }
  if (code.startsWith('HPE_')) return new CheckFailure('http_protocol', `the body breaks HTTP's framing (${code})`);
  return incomplete();
}

const incomplete = () => new CheckFailure('http_incomplete', 'the connection closed before the end of the body');

/**
 * Reads a little of a body that nobody asked about: an orderly close for the target, and a transfer that breaks at once
 * is seen. Whatever takes longer, a stream without an end included, is judged by its headers. Throws a CheckFailure.
 */
export function drainBody(run: Run, response: IncomingMessage): Promise<void> {
  if (response.complete) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let size = 0;
    const settle = () => {
      giveUp();
      run.deadline.interrupt = null;
      resolve();
    };
    const giveUp = run.context.clock.after(drainPatience, settle);
    run.deadline.interrupt = settle;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size >= drained) settle();
    });
    response.once('end', settle);
    response.once('error', (error) => {
      giveUp();
      run.deadline.interrupt = null;
      reject(bodyFailure(error, response));
    });
  });
}
