import { Transform } from 'node:stream';
import { callbackify } from 'node:util';
import type { Clock } from '../deps.ts';
import type { CheckContext } from './check.ts';
import { CheckFailure, codeOf } from './failure.ts';
import { createSlices } from './slices.ts';

/** Milliseconds that one decoding may take. What is honest takes ten: the rest is for slow and busy machines. */
const mostWork = 500;

/**
 * Makes what undoes brotli for all checks of a process, in WebAssembly, whose memory is its own: a flaw of the decoder
 * stays inside. Each stream takes in and gives out about `most` bytes; with more it ends, as the reader has enough.
 *
 * A decoder holds up to 20 MiB while it lives, and targets may be slow. So a stream gathers what arrives, which is
 * small, and no decoder waits for a target: each time as much again has come as there was, the whole is decoded from its
 * start, and what was given before is passed over. That costs three times the work at most, and one decoder at a time.
 */
export function createBrotli(clock: Clock): CheckContext['brotli'] {
  const inSlices = createSlices(clock, mostWork);

  return (most, lease) => {
    const gathered: Buffer[] = [];
    let size = 0;
    let given = 0;
    let nextTry = 1;
    let over = false;

    const decode = callbackify(async () => {
      const { decodeBrotli } = await import('./brotli-wasm.ts');
      let known = given;
      // Never waits for the reader: what it leaves lying is bounded, and others wait for the decoder.
      const take = (output: Uint8Array): boolean => {
        const fresh = output.subarray(known);
        known = Math.max(0, known - output.length);
        given += fresh.length;
        if (fresh.length > 0 && !stream.destroyed) stream.push(fresh);
        return !stream.destroyed && given < most;
      };
      // A stream that was destroyed while it waited has nothing left to decode.
      const steps = function* () {
        return stream.destroyed || (yield* decodeBrotli(Buffer.concat(gathered), take));
      };
      over = await inSlices(size, steps());
      nextTry = Math.min(2 * size, most);
    });

    const stream = new Transform({
      // What waits here is not paid for yet.
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

/** As zlib says it. */
const endsTooEarly = () => Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });

const tooMuch = (most: number) =>
  new CheckFailure('http_decode', `${most} bytes of the body decode to less than as many: it is not read on`);

/** What is not surely the fault of the bytes is no verdict on the target: what costs too much may be a slow machine's. */
function failure(error: unknown): Error {
  if (codeOf(error) === 'ERR_BROTLI_CORRUPT') return error as Error;
  return new CheckFailure('internal', `the body could not be decoded: ${(error as Error).message}`, { cause: error });
}
