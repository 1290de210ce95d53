import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { TlsOptions } from 'node:tls';
import type { Target } from './target.ts';
import { listening } from './tcp.ts';

export interface TlsTarget extends Target {
  /** `https://localhost:port` */
  url: string;
}

/** Starts an HTTPS server on loopback with the given certificate and TLS options. */
export async function tlsTarget(
  options: TlsOptions,
  answer: RequestListener = (_request, response) => {
    response.end('ok');
  },
  port = 0,
): Promise<TlsTarget> {
  const target = await listening(createServer(options, answer), '127.0.0.1', port);
  return { ...target, url: `https://localhost:${target.port}` };
}
