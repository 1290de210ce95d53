import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Asked {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/**
 * Requests a path from a server on this machine. `host` is the value of the `Host` header. If `ca` is given, the
 * request uses HTTPS, and `host` is also the server name in the handshake.
 */
export function ask(
  port: number,
  host: string,
  path: string,
  { ca, method = 'GET', headers = {} }: { ca?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host, ...headers },
      agent: false,
    };
    const request = ca === undefined ? httpRequest(options) : httpsRequest({ ...options, ca, servername: host });
    request.on('error', reject);
    request.on('response', (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.end();
  });
}
