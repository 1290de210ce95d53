import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { ByteLease } from './byte-budget.ts';
import type { CheckContext } from './check.ts';
import { CheckFailure } from './failure.ts';

/** Bytes of a decoded body that are read at most. */
export const bodyLimit = 1024 * 1024;
/** Encodings on top of each other, at most. */
const mostEncodings = 3;

interface Decoder {
  /** What it holds in memory from its start. */
  bytes: number;
  /** It keeps what it has given out, to refer back to it. */
  keepsOutput?: true;
  make: (context: CheckContext, lease: ByteLease) => Transform;
}

const kilobytes = (count: number) => count * 1024;
const inflating = { bytes: kilobytes(40) };

const decoders: Record<string, Decoder> = {
  gzip: { ...inflating, make: () => createGunzip() },
  'x-gzip': { ...inflating, make: () => createGunzip() },
  deflate: { ...inflating, make: () => createInflate() },
  // Twice the limit: what comes out may have to be decoded once more.
  br: { bytes: kilobytes(8), make: ({ brotli }, lease) => brotli(2 * bodyLimit, lease) },
  zstd: {
    bytes: kilobytes(256),
    keepsOutput: true,
    // 8 MiB, which every decoder has to take and no server may exceed (RFC 9659).
    make: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  },
};

/** The encodings to undo, the outermost first. Throws a CheckFailure for those that are not known. */
export function encodingsOf(response: IncomingMessage): string[] {
  const names = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostEncodings) throw new CheckFailure('http_decode', 'the body is encoded too many times over');
  const unknown = names.find((name) => !Object.hasOwn(decoders, name));
  if (unknown) throw new CheckFailure('http_decode', `the body's content encoding is not known: ${unknown}`);
  return names.toReversed();
}

/** What decodes a body, not made yet. */
export interface Decoding {
  /** What the decoders hold in memory from their start. */
  bytes: number;
  /** Whether they also hold what they give out. */
  keepsOutput: boolean;
  make: (context: CheckContext, lease: ByteLease) => Transform[];
}

/** The decoders of a body with these encodings, by its first byte. */
export function decodingOf(encodings: readonly string[], firstByte: number): Decoding {
  const needed = encodings.map((name, i) => (name === 'deflate' && i === 0 ? deflateOf(firstByte) : decoders[name]!));
  return {
    bytes: needed.reduce((sum, { bytes }) => sum + bytes, 0),
    keepsOutput: needed.some(({ keepsOutput }) => keepsOutput),
    make: (context, lease) => needed.map((decoder) => decoder.make(context, lease)),
  };
}

/** The compression method that a zlib header names in the low half of its first byte (RFC 1950). */
const zlibHeader = 8;

/** `deflate` is zlib-wrapped by the standard and bare from some servers: its first byte tells. */
const deflateOf = (firstByte: number): Decoder =>
  (firstByte & 0x0f) === zlibHeader ? decoders['deflate']! : { ...inflating, make: () => createInflateRaw() };
