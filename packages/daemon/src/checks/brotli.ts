import { Transform } from 'node:stream';
import { callbackify } from 'node:util';
import type { Clock } from '../deps.ts';
import type { CheckContext } from './check.ts';
import { CheckFailure, codeOf } from './failure.ts';
import { createJobQueue } from './job-queue.ts';

/** Longest time for one decoding. Ordinary bodies need 10 ms, but slow or busy machines need much more. */
const maxWorkMs = 500;

/**
 * Creates the brotli decoder for all checks of a process. The decoder runs in WebAssembly with separate memory, so that
 * a bug in the decoder cannot change other memory. Each stream ends after about `maxBytes` bytes of output. It fails if
 * the first `maxBytes` bytes of its input decode to fewer than `maxBytes` bytes.
 *
 * A decoder holds up to 20 MiB of memory, and a target may be slow. So a stream first gathers the compressed bytes,
 * which are few, and no decoder waits for a target. Each time the gathered bytes have doubled, all of them are decoded
 * from the start, and the output of earlier decodings is skipped. This at most triples the work. Only one decoder
 * exists at a time.
 */
export function createBrotli(clock: Clock): CheckContext['brotli'] {
  const runJob = createJobQueue(clock, maxWorkMs);

  return (maxBytes, lease) => {
    const gathered: Buffer[] = [];
    let size = 0;
    let given = 0;
    let nextTry = 1;
    let over = false;

    const decode = callbackify(async () => {
      const { decodeBrotli } = await import('./brotli-wasm.ts');
      // Earlier decodings have already passed on this many bytes. They are the first bytes of this decoding's output.
      let skip = given;
      // Pushes output even if the reader is slow, because other streams need the same decoder. `maxBytes` limits the
      // output that waits for the reader.
      const take = (output: Uint8Array): boolean => {
        const fresh = output.subarray(skip);
        skip = Math.max(0, skip - output.length);
        given += fresh.length;
        if (fresh.length > 0 && !stream.destroyed) stream.push(fresh);
        return !stream.destroyed && given < maxBytes;
      };
      // A stream that was destroyed while it waited for the decoder needs no decoding.
      const steps = function* () {
        return stream.destroyed || (yield* decodeBrotli(Buffer.concat(gathered), take));
      };
      over = await runJob(size, steps());
      nextTry = Math.min(2 * size, maxBytes);
    });

    const stream = new Transform({
      // This buffer is small, because the memory budget does not count the bytes in it.
      writableHighWaterMark: 16 * 1024,
      transform(chunk: Buffer, _encoding, done) {
        if (over) return done();
        const gather = () => {
          gathered.push(chunk);
          size += chunk.length;
          if (size < nextTry) return done();
          decode((error) => done(error ? failure(error) : over || size < maxBytes ? null : tooMuch(maxBytes)));
        };
        if (lease) lease.take(chunk.length, gather);
        else gather();
      },
      flush(done) {
        if (over) return done();
        decode((error) => done(error ? failure(error) : over ? null : endsTooEarly()));
      },
      destroy(error, done) {
        gathered.length = 0;
        done(error);
      },
    });
    return stream;
  };
}

/** Returns the same error as zlib reports for a stream that ends too early. */
const endsTooEarly = () => Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });

const tooMuch = (maxBytes: number) =>
  new CheckFailure(
    'http_decode',
    `the first ${maxBytes} bytes of the compressed body decode to less than ${maxBytes} bytes, so the rest is not read`,
  );

/**
 * Returns the failure of the check for an error of the decoder. Only corrupt bytes are a fault of the target. Any other
 * error is a checker fault. For example, decoding takes too long if this machine is slow.
 */
function failure(error: unknown): Error {
  if (codeOf(error) === 'ERR_BROTLI_CORRUPT') return error as Error;
  return new CheckFailure('internal', `the body could not be decoded: ${(error as Error).message}`, { cause: error });
}
