import { BrotliDecStream, BrotliStreamResultCode, initSync } from 'brotli-dec-wasm/web';
import { brotliBytes } from './brotli-bytes.ts';

// Compiled once, when the first compressed body has this file loaded.
initSync({ module: brotliBytes() });

/** Bytes that one step takes in and gives out at most. The dearest that are known keep it busy for 4 ms. */
const piece = 4 * 1024;
const mostOut = 64 * 1024;

/**
 * Undoes brotli (RFC 7932) in small steps, from the start of `input`. `take` is given what comes out, and answers
 * whether it wants more. Answers true where that was the end, false where `input` ends too early. Throws an error with
 * the code `ERR_BROTLI_CORRUPT`; any other is a fault of the decoder itself.
 */
export function* decodeBrotli(
  input: Uint8Array,
  take: (output: Uint8Array) => boolean,
): Generator<undefined, boolean, undefined> {
  if (asksForLargeWindow(input)) throw corrupt('a large window');
  const stream = new BrotliDecStream();
  try {
    for (let at = 0; ;) {
      const { code, taken, output } = step(stream, input.subarray(at, at + piece));
      at += taken;
      if (!take(output) || code === BrotliStreamResultCode.ResultSuccess) return true;
      if (code === BrotliStreamResultCode.NeedsMoreInput && at >= input.length) return false;
      yield;
    }
  } finally {
    stream.free();
  }
}

function step(stream: BrotliDecStream, input: Uint8Array) {
  try {
    const result = stream.dec(input, mostOut);
    const { code, input_offset: taken, buf: output } = result;
    result.free();
    return { code, taken, output };
  } catch (error) {
    // A trap, or no memory left.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    throw corrupt((error as Error).message);
  }
}

/** An extension of the format that HTTP does not know: up to 1 GiB would be set aside for it. */
const asksForLargeWindow = (input: Uint8Array) => ((input[0] ?? 0) & 0x7f) === 0x11;

const corrupt = (what: string) => Object.assign(new Error(what), { code: 'ERR_BROTLI_CORRUPT' });
