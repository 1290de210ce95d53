import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { nextTurn } from '../wait.ts';
import type { Form } from './forms.ts';

export type Encoding = 'identity' | 'gzip' | 'br';

export interface PageBody extends Pick<Form, 'type' | 'policy'> {
  etag: string;
  body: Buffer;
}

/** Bodies of fewer bytes than this are sent uncompressed, because compression would gain nothing. */
const worthCompressing = 1000;

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/** Writes a page in one format, and compresses it. Lets other work run between two pieces. */
export async function encodeForm({ type, policy, pieces }: Form, encoding: Encoding): Promise<PageBody> {
  const hash = createHash('sha256');
  const buffers: Buffer[] = [];
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    hash.update(buffer);
    buffers.push(buffer);
    await nextTurn();
  }
  const plain = Buffer.concat(buffers);
  const digest = hash.digest('base64url').slice(0, 22);
  if (encoding === 'identity' || plain.length < worthCompressing)
    return { type, policy, etag: `"${digest}"`, body: plain };
  const body =
    encoding === 'gzip'
      ? await compress.gzip(plain)
      : await compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { type, policy, etag: `"${digest}-${encoding}"`, body };
}
