/** The byte order marks that say how a text is encoded, whatever its headers say. */
const marks: [bytes: number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];

/**
 * A body as text: by its byte order mark, else the charset of its content type, else that of an HTML `<meta>` in its
 * first 1,024 bytes, else as UTF-8. Bytes that do not decode become U+FFFD.
 */
export function decodeText(body: Uint8Array, contentType: string | undefined): string {
  const mark = marks.find(([bytes]) => bytes.every((byte, i) => body[i] === byte))?.[1];
  const charset = mark ?? charsetOf(contentType ?? '') ?? metaCharset(body) ?? 'utf-8';
  return decoderFor(charset).decode(body);
}

const charsetOf = (contentType: string) => /;\s*charset\s*=\s*"?\s*([^\s";,]+)/i.exec(contentType)?.[1];

function metaCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  const declared = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // A page that could say so in ASCII is not UTF-16 (HTML standard, prescan).
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    // A charset that nobody knows: most text reads as UTF-8 all the same.
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
