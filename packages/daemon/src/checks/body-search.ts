import { StringDecoder } from 'node:string_decoder';
import { charsetOf, headLength, textDecoder } from './charset.ts';
import { createTextSearch } from './text-search.ts';

/** Searches for a text in a body whose decoded bytes arrive in pieces. */
export interface BodySearch {
  /** Processes the next bytes. Returns whether the bytes up to here contain the text. */
  take(bytes: Buffer): boolean;
}

/**
 * Creates a search that decodes a body while the body arrives. The first bytes of a body decide its charset. If another
 * charset becomes known while they arrive, all bytes so far are decoded and searched again.
 */
export function createBodySearch(wanted: string, contentType: string | undefined): BodySearch {
  let head: Buffer | null = Buffer.alloc(0);
  let charset: string | null = null;
  let decode: (bytes: Buffer) => string = () => '';
  let search = createTextSearch(wanted);

  return {
    take(bytes) {
      if (head === null) return search.take(decode(bytes));
      const before = head.length;
      head = Buffer.concat([head, bytes.subarray(0, headLength - before)]);
      const found = charsetOf(head, contentType);
      let fresh = bytes;
      if (found.charset !== charset) {
        charset = found.charset;
        decode = decoderOf(charset);
        search = createTextSearch(wanted);
        if (search.take(decode(head))) return true;
        fresh = bytes.subarray(head.length - before);
      }
      if (found.settled) head = null;
      return search.take(decode(fresh));
    },
  };
}

function decoderOf(charset: string): (bytes: Buffer) => string {
  const decoder = textDecoder(charset);
  if (decoder.encoding !== 'utf-8') return (bytes) => decoder.decode(bytes, { stream: true });
  // StringDecoder decodes UTF-8 in pieces three times as fast as TextDecoder.
  const utf8 = new StringDecoder('utf8');
  return (bytes) => utf8.write(bytes);
}
