/** The byte order marks that decide a text's encoding, whatever its headers say. */
const marks: [bytes: number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];
const maxMarkLength = 3;

/** The number of bytes at the start of a body that decide its charset. */
export const headLength = 1024;

/**
 * Returns the charset of a body. Its byte order mark decides, else its content type, else an HTML `<meta>` tag. The
 * default is UTF-8. `settled` means that later bytes cannot change the charset.
 */
export function charsetOf(
  head: Uint8Array,
  contentType: string | undefined,
): {
  charset: string;
  settled: boolean;
} {
  const mark = marks.find(([bytes]) => bytes.every((byte, i) => head[i] === byte))?.[1];
  if (mark) return { charset: mark, settled: true };
  const declared = declaredCharset(contentType ?? '');
  if (declared) return { charset: declared, settled: head.length >= maxMarkLength };
  return { charset: metaCharset(head) ?? 'utf-8', settled: head.length >= headLength };
}

/** Reads only the start of the header, because a header may be very long. */
const declaredCharset = (contentType: string) =>
  /;\s*charset\s*=\s*(?:"\s*)?([^\s";,]+)/i.exec(contentType.slice(0, 1024))?.[1];

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength)).toString('latin1');
  const declared = /<meta\s[^>]*?charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(head)?.[1];
  // A tag that can be read as ASCII is not in UTF-16, even if it says UTF-16 (HTML standard, prescan).
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/** Returns a decoder for bytes that arrive in pieces. It decodes invalid bytes to U+FFFD. */
export function textDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    // If the charset is unknown, UTF-8 still decodes most texts correctly.
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
