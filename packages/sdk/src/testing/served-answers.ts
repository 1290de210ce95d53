import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { Uptime, type UptimeOptions } from '../index.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export const closers: (() => Promise<void>)[] = [];

/** Starts an HTTP server. The n-th handler answers the n-th request; the last handler answers all later requests. */
export async function serve(...handlers: Handler[]) {
  const seen: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      handlers[Math.min(seen.length, handlers.length) - 1]!(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: UptimeOptions = {}) => new Uptime({ siteUrl, apiKey: 'uptime_secret', ...options });
  return { seen, siteUrl, client };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

export const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(
    status,
    { type: 'about:blank', title: 'Title', status, detail: `It is ${code}.`, code, requestId: 'req_1', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  );

export const drop: Handler = (request) => void request.socket.destroy();

export const hang: Handler = () => {};

/** Returns the error with which a promise rejects. */
export const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
