import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Target } from './target.ts';
import { listening } from './tcp.ts';

export interface HttpTarget extends Target {
  /** `http://127.0.0.1:port` */
  url: string;
  /** The requests, in order. */
  requests: ReceivedRequest[];
}

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts an HTTP server on loopback that records each request before it answers. */
export async function httpTarget(answer: RequestListener = ok, host = '127.0.0.1'): Promise<HttpTarget> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
      answer(request, response);
    });
  });
  const target = await listening(server, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return { ...target, url: `http://${name}:${target.port}`, requests };
}

const ok: RequestListener = (_request, response) => {
  response.end('ok');
};

/** Answers with a status and a body. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(code, headers).end(body);
  };

/** Answers each path with its own listener, and other paths with 404. */
export const routes =
  (paths: Record<string, RequestListener>): RequestListener =>
  (request, response) =>
    (paths[request.url ?? ''] ?? status(404))(request, response);

export const redirect = (to: string, code = 302): RequestListener => status(code, '', { location: to });

/** Never answers. */
export const hang: RequestListener = () => {};

/** Sends headers, and then a byte every 50 ms without end. */
export const drip: RequestListener = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
};

/** Announces 100 bytes, sends fewer, and breaks off. */
export const truncated: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('only this much', () => request.socket.destroy());
};

/** Breaks a chunked body off between two chunks. */
export const truncatedChunks: RequestListener = (request, response) => {
  response.writeHead(200);
  response.write('a chunk', () => request.socket.resetAndDestroy());
};

const compressors = {
  gzip: gzipSync,
  deflate: deflateSync,
  'bare-deflate': deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

export type Encoding = keyof typeof compressors;

/** Answers with a compressed body. The last `cut` bytes are missing, although the HTTP transfer itself is complete. */
export function compressed(encoding: Encoding, body: string | Buffer, cut = 0): RequestListener {
  const bytes = compressors[encoding](Buffer.from(body));
  return (_request, response) =>
    encoded(response, encoding.replace('bare-', ''), bytes.subarray(0, bytes.length - cut));
}

/** Answers with bytes that do not match their encoding. */
export const corrupt =
  (encoding: string): RequestListener =>
  (_request, response) =>
    encoded(response, encoding, Buffer.from('this was never compressed by anything'));

function encoded(response: ServerResponse, encoding: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain; charset=utf-8' }).end(bytes);
}

/** Answers with a few kilobytes that decompress to `megabytes`. */
export const bomb = (megabytes: number): RequestListener =>
  compressed('gzip', Buffer.alloc(megabytes * 1024 * 1024, 'a'));
