import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { cookieHeader } from './cookies.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import type { Hop } from './http-redirects.ts';
import { type Run, spent } from './run.ts';
import { socketFailure } from './system-errors.ts';
import { isTlsError, tlsFailure } from './tls-failure.ts';

/** Maximum number of bytes of a response's headers. */
const maxHeaderBytes = 128 * 1024;

/** Sends one request over a connected socket. Resolves with its response as soon as the headers have arrived. */
export function exchange(run: Run, socket: Socket, hop: Hop, readsBody: boolean): Promise<IncomingMessage> {
  const fromMonoMs = run.context.clock.monotonicMs();
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      method: hop.method,
      path: hop.url.pathname + hop.url.search,
      headers: headersOf(hop, run.context.userAgent, readsBody),
      setHost: false,
      maxHeaderSize: maxHeaderBytes + 1,
    });
    const answered = (response: IncomingMessage) => {
      run.deadline.offInterrupt();
      spent(run, 'firstByte', fromMonoMs);
      resolve(response);
    };
    outgoing.once('response', answered);
    // A server may upgrade the connection unasked. Without a listener, Node would report the upgrade as a hang-up.
    outgoing.once('upgrade', answered);
    // This listener is never removed, because Node throws an error that has no listener. After the headers have
    // arrived, the response reports failures.
    outgoing.on('error', (error) => {
      run.deadline.offInterrupt();
      reject(exchangeFailure(error, hop.url, socket.bytesRead));
    });
    run.deadline.onInterrupt((why) =>
      reject(interrupted(why, 'timeout', `${hop.url.host} did not answer within ${run.timeoutSeconds} s`)),
    );
    if (!run.deadline.over) outgoing.end(hop.body === null || hop.body === '' ? undefined : hop.body);
  });
}

/** Returns a list in which names and values alternate. Node sends such a list without building a table. */
function headersOf(hop: Hop, userAgent: string, readsBody: boolean): string[] {
  const own = hop.headers;
  const headers: string[] = [];
  const unlessOwn = (name: string, value: string) => {
    if (!own.has(name)) headers.push(name, value);
  };
  unlessOwn('host', hop.url.host);
  unlessOwn('user-agent', userAgent);
  unlessOwn('accept', '*/*');
  if (readsBody) unlessOwn('accept-encoding', 'gzip, deflate, br, zstd');
  if (hop.body !== null) {
    if (hop.body !== '') unlessOwn('content-type', contentTypeOf(hop.body));
    headers.push('content-length', String(Buffer.byteLength(hop.body)));
  }
  for (const [name, value] of own) if (name !== 'cookie' || hop.cookies.length === 0) headers.push(name, value);
  if (hop.cookies.length > 0) {
    const cookie = cookieHeader(hop.cookies, own.get('cookie'), hop.url);
    if (cookie !== null) headers.push('cookie', cookie);
  }
  headers.push('connection', 'close');
  return headers;
}

/** A body that looks like JSON is sent as JSON. Users set the header if they mean another type. */
const contentTypeOf = (body: string) => (/^\s*[[{]/.test(body) ? 'application/json' : 'text/plain; charset=utf-8');

/**
 * Returns the failure for an error of a request. For plain HTTP, `bytesRead` shows whether an answer has begun. Over
 * TLS it does not, because it also counts the bytes of the handshake.
 */
function exchangeFailure(error: unknown, { host, protocol }: URL, bytesRead: number): CheckFailure {
  const code = codeOf(error);
  if (isTlsError(error)) return tlsFailure(error, false);
  if (code === 'HPE_HEADER_OVERFLOW')
    return new CheckFailure('http_too_large', `${host} sent headers of more than ${maxHeaderBytes / 1024} KB`);
  // The error for a reset by the peer names a system call. Node's own error "socket hang up" does not.
  const hungUp = code === 'ECONNRESET' && (error as NodeJS.ErrnoException).syscall === undefined;
  if (code === 'HPE_INVALID_EOF_STATE' || (hungUp && bytesRead > 0 && protocol === 'http:'))
    return new CheckFailure('http_incomplete', `${host} closed the connection in the middle of its answer`);
  if (code.startsWith('HPE_'))
    return new CheckFailure('http_protocol', `${host} sent an answer that is not valid HTTP (${code})`);
  if (hungUp) return new CheckFailure('reset', `${host} closed the connection without an answer`);
  if (code === 'ETIMEDOUT') return new CheckFailure('timeout', `${host} stopped answering`);
  return socketFailure(error, host);
}
