import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { ByteLease } from './byte-budget.ts';
import type { CheckContext } from './check.ts';
import { CheckFailure } from './failure.ts';

/** Maximum number of bytes that a check reads of a decoded body. */
export const maxDecodedBytes = 1024 * 1024;
/** Maximum number of content encodings of one body. With more, the check fails as `http_decode`. */
const maxEncodings = 3;

interface Decoder {
  /** Bytes of memory that the decoder uses from its start. */
  bytes: number;
  /** Whether the decoder keeps its output in memory, because later input refers back to it. */
  keepsOutput?: true;
  make: (context: CheckContext, lease: ByteLease) => Transform;
}

const kilobytes = (count: number) => count * 1024;
const inflating = { bytes: kilobytes(40) };

const decoders: Record<string, Decoder> = {
  gzip: { ...inflating, make: () => createGunzip() },
  'x-gzip': { ...inflating, make: () => createGunzip() },
  deflate: { ...inflating, make: () => createInflate() },
  // If a body has several encodings, the next decoder reads the output of this decoder. The next decoder may need more
  // than `maxDecodedBytes` to return that many bytes. So this decoder may return up to twice `maxDecodedBytes`.
  br: { bytes: kilobytes(8), make: ({ brotli }, lease) => brotli(2 * maxDecodedBytes, lease) },
  zstd: {
    bytes: kilobytes(256),
    keepsOutput: true,
    // A window of 8 MiB (2^23 bytes): every decoder must accept it, and no server may exceed it (RFC 9659).
    make: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  },
};

/** Returns the encodings of a body, the outermost first. Throws a CheckFailure for unknown or too many encodings. */
export function encodingsOf(response: IncomingMessage): string[] {
  const names = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) throw new CheckFailure('http_decode', 'the body is encoded too many times');
  const unknown = names.find((name) => !Object.hasOwn(decoders, name));
  if (unknown) throw new CheckFailure('http_decode', `the body's content encoding is unknown: ${unknown}`);
  return names.toReversed();
}

/** The decoders that a body needs. `make` creates them. */
export interface Decoding {
  /** Bytes of memory that the decoders use from their start. */
  bytes: number;
  /** Whether one of the decoders keeps its output in memory. */
  keepsOutput: boolean;
  make: (context: CheckContext, lease: ByteLease) => Transform[];
}

/** Returns the decoders for these encodings. The `firstByte` of a `deflate` body shows whether it has a zlib header. */
export function decodingOf(encodings: readonly string[], firstByte: number): Decoding {
  const needed = encodings.map((name, i) => (name === 'deflate' && i === 0 ? deflateOf(firstByte) : decoders[name]!));
  return {
    bytes: needed.reduce((sum, { bytes }) => sum + bytes, 0),
    keepsOutput: needed.some(({ keepsOutput }) => keepsOutput),
    make: (context, lease) => needed.map((decoder) => decoder.make(context, lease)),
  };
}

/** The low half of the first byte of a zlib header that announces deflate (RFC 1950). */
const zlibHeader = 8;

/**
 * Returns the decoder for a body in `deflate`. By the standard, the body starts with a zlib header, but some servers
 * omit the header. The first byte shows whether it is there.
 */
const deflateOf = (firstByte: number): Decoder =>
  (firstByte & 0x0f) === zlibHeader ? decoders['deflate']! : { ...inflating, make: () => createInflateRaw() };
