import { Transform } from 'node:stream';
import { callbackify } from 'node:util';
import type { Clock } from '../deps.ts';
import type { CheckContext } from './check.ts';
import { CheckFailure, codeOf } from './failure.ts';
import { createJobQueue } from './job-queue.ts';

/** Longest time for one decoding. Ordinary bodies take 10 ms; the rest is for slow and busy machines. */
const mostWorkMs = 500;

/**
 * Creates the brotli decoder for all checks of a process. It runs in WebAssembly with memory of its own, so that a bug
 * in the decoder cannot touch other memory. Each stream reads and writes up to about `most` bytes, and ends early if
 * there is more.
 *
 * A decoder holds up to 20 MiB while it lives, and targets may be slow. So a stream first gathers the compressed bytes,
 * which are few, and no decoder waits for a target. Each time the gathered bytes have doubled, all of them are decoded
 * from the start, and earlier output is skipped. That costs at most three times the work, and needs only one decoder at
 * a time.
 */
export function createBrotli(clock: Clock): CheckContext['brotli'] {
  const runJob = createJobQueue(clock, mostWorkMs);

  return (most, lease) => {
    const gathered: Buffer[] = [];
    let size = 0;
    let given = 0;
    let nextTry = 1;
    let over = false;

    const decode = callbackify(async () => {
      const { decodeBrotli } = await import('./brotli-wasm.ts');
      // Bytes at the start of the output that earlier decodings have already passed on.
      let skip = given;
      // Does not wait until the output is read, because other streams wait for the decoder. `most` limits the output.
      const take = (output: Uint8Array): boolean => {
        const fresh = output.subarray(skip);
        skip = Math.max(0, skip - output.length);
        given += fresh.length;
        if (fresh.length > 0 && !stream.destroyed) stream.push(fresh);
        return !stream.destroyed && given < most;
      };
      // A stream that was destroyed while it waited needs no decoding.
      const steps = function* () {
        return stream.destroyed || (yield* decodeBrotli(Buffer.concat(gathered), take));
      };
      over = await runJob(size, steps());
      nextTry = Math.min(2 * size, most);
    });

    const stream = new Transform({
      // Small, because the memory budget does not count the bytes that wait here.
      writableHighWaterMark: 16 * 1024,
      transform(chunk: Buffer, _encoding, done) {
        if (over) return done();
        const gather = () => {
          gathered.push(chunk);
          size += chunk.length;
          if (size < nextTry) return done();
          decode((error) => done(error ? failure(error) : over || size < most ? null : tooMuch(most)));
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

/** The error that zlib reports for a stream that is cut short. */
const endsTooEarly = () => Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });

const tooMuch = (most: number) =>
  new CheckFailure(
    'http_decode',
    `the first ${most} bytes of the compressed body decode to less than ${most} bytes, so the rest is not read`,
  );

/**
 * Only corrupt bytes fail the target. If decoding takes too long, this machine may be slow, so that is a checker fault.
 */
function failure(error: unknown): Error {
  if (codeOf(error) === 'ERR_BROTLI_CORRUPT') return error as Error;
  return new CheckFailure('internal', `the body could not be decoded: ${(error as Error).message}`, { cause: error });
}
