import { BrotliDecStream, BrotliStreamResultCode, initSync } from 'brotli-dec-wasm/web';
import { brotliBytes } from './brotli-bytes.ts';

// Compiles the decoder once. This file is loaded when the first body in brotli arrives.
initSync({ module: brotliBytes() });

/** Maximum number of compressed bytes that one step reads. With the slowest known input, such a step takes 4 ms. */
const maxPieceBytes = 4 * 1024;
/** Maximum number of decoded bytes that one step returns. */
const maxOut = 64 * 1024;

/**
 * Decodes brotli (RFC 7932) in small steps, from the start of `input`. `take` receives the output and returns whether
 * it wants more. The generator returns false if `input` ends too early, and true if the stream has ended or `take`
 * wants no more. For corrupt input it throws an error with the code `ERR_BROTLI_CORRUPT`. Any other error is a fault of
 * the decoder.
 */
export function* decodeBrotli(
  input: Uint8Array,
  take: (output: Uint8Array) => boolean,
): Generator<undefined, boolean, undefined> {
  if (asksForLargeWindow(input)) throw corrupt('a large window');
  const stream = new BrotliDecStream();
  try {
    for (let at = 0; ;) {
      const { code, taken, output } = step(stream, input.subarray(at, at + maxPieceBytes));
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
    const result = stream.dec(input, maxOut);
    const { code, input_offset: taken, buf: output } = result;
    result.free();
    return { code, taken, output };
  } catch (error) {
    // The decoder crashed or ran out of memory.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    throw corrupt((error as Error).message);
  }
}

/** Whether the stream uses large windows. HTTP does not allow this extension, which would reserve up to 1 GiB. */
const asksForLargeWindow = (input: Uint8Array) => ((input[0] ?? 0) & 0x7f) === 0x11;

const corrupt = (what: string) => Object.assign(new Error(what), { code: 'ERR_BROTLI_CORRUPT' });
